package io.ringside.schemas;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The arrows inside the contract: events know nothing of how they travel. */
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

  @Test
  void packagesFormNoCycle() {
    slices()
        .matching("io.ringside.schemas.(*)..")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true)
        .check(OURS);
  }

  @Test
  void everyPackageIsNamedAfterSomethingOfTheField() {
    noClasses()
        .should()
        .resideInAnyPackage("..util..", "..utils..", "..common..", "..helper..", "..helpers..")
        .allowEmptyShould(true)
        .check(OURS);
  }

  @Test
  void timeIsAnArgument() {
    noClasses()
        .that()
        .haveNameNotMatching(".*Main(\\$.*)?")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .because("a replay and a test must be able to set the clock; take an InstantSource")
        .allowEmptyShould(true)
        .check(OURS);
  }
}
