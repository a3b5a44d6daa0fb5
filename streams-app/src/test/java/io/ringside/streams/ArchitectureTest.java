package io.ringside.streams;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.File;
import java.io.FileInputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The arrows inside the streams service: a line goes through its stages in one direction, and up
/// to the verdict they are data in, data out. What holds for every module is in the lab's.
class ArchitectureTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/")) // also of -Dquick
          .importPackages("io.ringside.streams");

  /// From the bytes of a line to what is claimed of a run.
  private static final List<String> RULES =
      List.of(
          "parse", "witness", "fact", "node", "waits", "job", "examine", "ledger", "detect", "bill",
          "judge");

  /// From the verdict to its readers.
  private static final List<String> ENGINE = List.of("state", "topology", "publish", "observe");

  /// What should be, and the settings: beside the stages, for those from here on.
  private static final List<String> BESIDE = List.of("config", "expect");

  private static final String FIRST_TO_EXPECT = "examine";

  @Test
  void stagesImportOnlyThoseBeforeThem() {
    var order = Stream.concat(RULES.stream(), ENGINE.stream()).toList();
    var layers =
        layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("program")
            .definedBy("io.ringside.streams")
            .whereLayer("program")
            .mayNotBeAccessedByAnyLayer();
    for (var stage : Stream.concat(order.stream(), BESIDE.stream()).toList()) {
      layers = layers.layer(stage).definedBy("io.ringside.streams." + stage + "..");
    }
    for (int at = 1; at < order.size(); at++) {
      var before = order.subList(0, at).stream();
      var allowed =
          at < order.indexOf(FIRST_TO_EXPECT) ? before : Stream.concat(before, BESIDE.stream());
      layers = layers.whereLayer(order.get(at)).mayOnlyAccessLayers(allowed.toArray(String[]::new));
    }
    layers
        .whereLayer(order.getFirst())
        .mayNotAccessAnyLayer()
        .whereLayer("expect")
        .mayOnlyAccessLayers("config")
        .whereLayer("config")
        .mayNotAccessAnyLayer()
        .ensureAllClassesAreContainedInArchitecture()
        .check(OURS);
  }

  @Test
  void rulesAreDataInDataOut() {
    noClasses()
        .that()
        .resideInAnyPackage(packages())
        .and()
        .haveNameNotMatching(".*Processor(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.kafka..", "java.nio.file..", "java.util.concurrent..")
        .because(
            "a recorded incident replays as a unit test; a class that touches Kafka is called …Processor")
        .check(OURS);
  }

  @Test
  void rulesStartNoThreadsAndOpenNoFiles() {
    noClasses()
        .that()
        .resideInAnyPackage(packages())
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Thread.class, ThreadLocal.class, File.class, FileInputStream.class)
        .check(OURS);
  }

  @Test
  void theStreamsServiceDoesNotKnowTheShipper() {
    noClasses()
        .that()
        .resideInAnyPackage("io.ringside.streams..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.ringside.shipper..", "io.ringside.standalone..", "io.ringside.lab..")
        .because("shipper and streams-app meet in schemas and platform only")
        .allowEmptyShould(true)
        .check(OURS);
  }

  private static String[] packages() {
    return RULES.stream()
        .map(stage -> "io.ringside.streams." + stage + "..")
        .toArray(String[]::new);
  }
}
