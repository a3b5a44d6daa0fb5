package io.ringside.standalone;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The arrows inside standalone: it starts the other modules and adds no rule of its own. */
class ArchitectureTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.ringside.standalone");

  @Test
  void onlyTheBrokerPackageStartsABroker() {
    noClasses()
        .that()
        .resideInAnyPackage("io.ringside.standalone..")
        .and()
        .resideOutsideOfPackage("io.ringside.standalone.broker..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("kafka..", "org.apache.kafka.server..", "org.apache.kafka.metadata..")
        .because("the embedded broker has no stable API: one package to mend on an upgrade")
        .allowEmptyShould(true)
        .check(OURS);
  }

  @Test
  void packagesFormNoCycle() {
    slices()
        .matching("io.ringside.standalone.(*)..")
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
