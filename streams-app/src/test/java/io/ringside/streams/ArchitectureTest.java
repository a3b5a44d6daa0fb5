package io.ringside.streams;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.File;
import java.io.FileInputStream;
import org.junit.jupiter.api.Test;

/// The arrows inside the streams service: parse, join and detect are data in, data out. What holds for every module is in standalone's.
class ArchitectureTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/")) // also of -Dquick
          .importPackages("io.ringside.streams");

  @Test
  void rulesAreDataInDataOut() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.ringside.streams.parse..",
            "io.ringside.streams.job..",
            "io.ringside.streams.detect..")
        .and()
        .haveNameNotMatching(".*Processor(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.kafka..", "java.nio.file..", "java.util.concurrent..")
        .because(
            "a recorded incident replays as a unit test; a class that touches Kafka is called …Processor")
        .allowEmptyShould(true)
        .check(OURS);
  }

  @Test
  void rulesStartNoThreadsAndOpenNoFiles() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.ringside.streams.parse..",
            "io.ringside.streams.job..",
            "io.ringside.streams.detect..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Thread.class, ThreadLocal.class, File.class, FileInputStream.class)
        .allowEmptyShould(true)
        .check(OURS);
  }

  @Test
  void theStreamsServiceDoesNotKnowTheShipper() {
    noClasses()
        .that()
        .resideInAnyPackage("io.ringside.streams..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.ringside.shipper..", "io.ringside.standalone..")
        .because("shipper and streams-app meet in schemas only")
        .allowEmptyShould(true)
        .check(OURS);
  }
}
