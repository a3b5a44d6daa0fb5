package io.ringside.lab;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.ringside.platform.config.ConfigFile;
import io.ringside.schemas.serde.EventJson;
import io.ringside.shipper.Shipper;
import io.ringside.standalone.RingsideMain;
import io.ringside.streams.StreamsApp;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What holds for every module, and the one arrow inside standalone: the lab sees all of them, so
/// it looks at all.
class ArchitectureTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/")) // also of -Dquick
          .importPackages("io.ringside");

  @Test
  void looksAtAllModules() {
    assertThat(
            List.of(
                EventJson.class,
                ConfigFile.class,
                Shipper.class,
                StreamsApp.class,
                RingsideMain.class,
                LabMain.class))
        .allMatch(OURS::contain);
  }

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
    slices().matching("io.ringside.(**)").should().beFreeOfCycles().check(OURS);
  }

  @Test
  void whatTravelsAndWhatProgramsShareKnowNoProgramAndNotEachOther() {
    for (var below : List.of("schemas", "platform")) {
      noClasses()
          .that()
          .resideInAPackage("io.ringside." + below + "..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.ringside..")
                  .and(resideOutsideOfPackage("io.ringside." + below + "..")))
          .because("both stand below the programs, side by side")
          .check(OURS);
    }
  }

  @Test
  void nothingNeedsTheLab() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.ringside.lab..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.ringside.lab..")
        .because("no image and no released jar holds it")
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
