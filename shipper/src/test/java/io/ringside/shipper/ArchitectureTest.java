package io.ringside.shipper;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// The arrows inside the shipper: sources read, publish sends, and only publish knows Kafka. What
/// holds for every module is in the lab's.
class ArchitectureTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.ringside.shipper");

  @Test
  void sourcesDoNotKnowKafka() {
    noClasses()
        .that()
        .resideInAnyPackage("io.ringside.shipper.source..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.kafka..")
        .because("a source hands events to a sink; where they go is the business of publish")
        .allowEmptyShould(true)
        .check(OURS);
  }

  @Test
  void theShipperDoesNotKnowTheStreamsService() {
    noClasses()
        .that()
        .resideInAnyPackage("io.ringside.shipper..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.ringside.streams..", "io.ringside.standalone..")
        .because("shipper and streams-app meet in schemas and platform only")
        .allowEmptyShould(true)
        .check(OURS);
  }
}
