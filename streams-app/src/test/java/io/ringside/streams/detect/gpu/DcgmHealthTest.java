package io.ringside.streams.detect.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DcgmHealthTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERROR [1514002:1514004] [[Health]] Detected a WARNING in health system Thermal: 'Detected clocks event due to thermal violation in GPU 2. Verify that the cooling on this machine is functional.",
        "|                           | Detected clock throttling due to thermal violation in GPU 2. Verify that |",
        "Detected clocks event due to thermal violation in GPU 2.",
      })
  void isHeatWhereDcgmSaysSo(String line) {
    var findings = Recorded.of(Map.of("job.log", List.of("step 12", line))).judged().findings();

    assertThat(findings)
        .singleElement()
        .satisfies(
            throttled -> {
              assertThat(throttled.kind()).isEqualTo(FindingKind.GPU_THROTTLED);
              assertThat(throttled.severity()).isEqualTo(Severity.WARNING);
              assertThat(throttled.summary()).isEqualTo("GPU 2 is throttled for heat, says DCGM");
              assertThat(throttled.evidence().getFirst().text()).isEqualTo(line);
            });
  }

  /// Its words up to DCGM 4.4 (dcgmlib/src/dcgm_errors.h), and in the table of `dcgmi health -c`,
  /// which wraps them.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Detected 1 volatile double-bit ECC error(s) in GPU 3. Drain the GPU and reset it or reboot the node.",
        "|                           | Detected 1 volatile double-bit ECC error(s) in GPU 3. Drain the |",
        "|                           | GPU 3 had uncorrectable memory errors and row remapping failed.  |",
        "|                           | GPU 3 had memory errors and row remappings are pending |",
      })
  void isABrokenGpuWhereItsMemoryFailed(String line) {
    var findings = Recorded.of(Map.of("job.log", List.of("step 12", line))).judged().findings();

    assertThat(findings)
        .singleElement()
        .satisfies(
            broken -> {
              assertThat(broken.kind()).isEqualTo(FindingKind.GPU_ERROR);
              assertThat(broken.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(broken.evidence().getFirst().text()).isEqualTo(line);
            });
  }

  @Test
  void isNothingWhereMemoryWasCorrected() {
    assertThat(
            Recorded.of(
                    Map.of(
                        "job.log",
                        List.of(
                            "step 12",
                            "More than 1 single-bit ECC error(s) detected in GPU 3 Volatile SBEs: 4")))
                .judged()
                .findings())
        .isEmpty();
  }

  /// At full load every GPU reaches its power limit.
  @Test
  void isNothingWhereAGpuReachesItsPower() {
    assertThat(
            Recorded.of(
                    Map.of(
                        "job.log",
                        List.of(
                            "step 12",
                            "Detected clocks event due to power violation in GPU 2. Monitor the power conditions.")))
                .judged()
                .findings())
        .isEmpty();
  }

  @Test
  void isABrokenGpuWhereTheReportSaysThatItsMemoryFails() {
    assertThat(told(report("Failure", "GPU", 5, "Memory system", "Failure")))
        .singleElement()
        .satisfies(
            broken -> {
              assertThat(broken.kind()).isEqualTo(FindingKind.GPU_ERROR);
              assertThat(broken.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(broken.summary()).endsWith("GPU 5: Memory system");
            });
    assertThat(told(report("Failure", "GPU", 5, "NVLINK system", "Failure")))
        .singleElement()
        .satisfies(broken -> assertThat(broken.severity()).isEqualTo(Severity.WARNING));
  }

  @Test
  void isToldOnceWhereTheReportComesAgain() {
    var report = report("Failure", "GPU", 5, "Memory system", "Failure");

    assertThat(told(report, report, report)).hasSize(1);
  }

  @Test
  void isNothingWhereDcgmOnlyWarnsOrTheSwitchIsMeantOrAllIsWellAgain() {
    var failure = report("Failure", "GPU", 5, "Memory system", "Failure");

    assertThat(told(report("Warning", "GPU", 5, "PCIe system", "Warning"))).isEmpty();
    assertThat(told(report("Failure", "Switch", 5, "Memory system", "Failure"))).isEmpty();
    assertThat(told(failure, List.of(row("Overall Health", "Healthy")))).isEmpty();
  }

  /// What another host's report says.
  @Test
  void isNotMendedByAnotherHost() {
    var failure = report("Failure", "GPU", 5, "Memory system", "Failure");
    var both = new ArrayList<String>();
    failure.forEach(row -> both.add("gpu-04: " + row));
    both.add("gpu-05: " + row("Overall Health", "Healthy"));

    assertThat(told(both)).hasSize(1);
  }

  private static List<String> report(
      String overall, String kind, int entity, String system, String health) {
    return List.of(
        "| Health Monitor Report                          |",
        row("Overall Health", overall),
        row(kind, ""),
        row("-> " + entity, health),
        row("   -> Errors", ""),
        row("      -> " + system, health),
        row("", "Words about it."));
  }

  private static String row(String name, String value) {
    return "| %-25s | %-40s |".formatted(name, value);
  }

  @SafeVarargs
  private static List<Finding> told(List<String>... reports) {
    var lines = new ArrayList<>(List.of("step 12"));
    for (var report : reports) {
      lines.addAll(report);
    }
    return Recorded.of(Map.of("job.log", lines)).judged().findings();
  }
}
