package io.ringside.schemas;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// The arrows inside the contract: events know nothing of how they travel. What holds for every
/// module is in standalone's.
class ArchitectureTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.ringside.schemas");

  @Test
  void eventsAreDataAlone() {
    noClasses()
        .that()
        .resideInAnyPackage("io.ringside.schemas.event..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.ringside.schemas.serde..",
            "io.ringside.schemas.topic..",
            "org.apache.kafka..",
            "java.nio.file..")
        .because("an event is data: it can be built, compared and kept without a broker")
        .allowEmptyShould(true)
        .check(OURS);
  }
}
