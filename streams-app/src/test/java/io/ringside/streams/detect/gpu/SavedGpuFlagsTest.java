package io.ringside.streams.detect.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SavedGpuFlagsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Double Bit ECC                    : 3 | INFO",
        "Pending Page Blacklist            : Yes | WARNING",
        "Pending                           : Yes | WARNING",
        "Remapping Failure Occurred        : Yes | CRITICAL",
        "Channel Repair Pending                         : Yes | WARNING",
        "TPC Repair Pending                             : Yes | WARNING",
        "Unrepairable Memory                            : Yes | CRITICAL",
        "SRAM Threshold Exceeded       : Yes | WARNING",
        "Reset Required                    : Yes | CRITICAL",
        "GPU Recovery Action                   : Drain and Reset | WARNING",
      })
  void whatWaitsForARepairOrCannotBeRepaired(String flag, Severity severity) {
    var told =
        told(
            "GPU 00000000:4C:00.0",
            "    Remapped Rows",
            "        Pending                           : No",
            "GPU 00000000:9B:00.0",
            "    Remapped Rows",
            "        " + flag);

    assertThat(told)
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(severity);
              assertThat(error.gpus()).containsExactly("0000:9b:00.0");
              assertThat(error.evidence().getFirst().text()).contains(flag);
            });
  }

  /// `nvidia-smi -q -x`.
  @Test
  void readsElementsToo() {
    assertThat(
            told(
                "\t<gpu id=\"00000000:9B:00.0\">",
                "\t\t\t<pending_blacklist>Yes</pending_blacklist>",
                "\t\t\t<pending_retirement>Yes</pending_retirement>",
                "\t\t\t<remapped_row_failure>No</remapped_row_failure>",
                "\t\t<gpu_recovery_action>None</gpu_recovery_action>",
                "\t<gpu id=\"00000000:9C:00.0\">",
                "\t\t\t<pending_retirement>No</pending_retirement>",
                "\t\t\t<remapped_row_pending>N/A</remapped_row_pending>"))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.WARNING);
              assertThat(error.gpus()).containsExactly("0000:9b:00.0");
            });
  }

  @Test
  void eachGpuIsToldOnce() {
    var told =
        told(
            "GPU 00000001:00:00.0",
            "        Pending                           : Yes",
            "        Remapping Failure Occurred        : Yes",
            "GPU 00000002:00:00.0",
            "        Pending                           : Yes",
            "        Remapping Failure Occurred        : No");

    assertThat(told).hasSize(2);
    assertThat(told).flatExtracting(Finding::gpus).containsExactly("0001:00:00.0", "0002:00:00.0");
  }

  @Test
  void anInfoRomThatIsCorrupted() {
    assertThat(told("WARNING: infoROM is corrupted at gpu 0008:00:00.0"))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.WARNING);
              assertThat(error.gpus()).containsExactly("0008:00:00.0");
            });
    assertThat(
            told("    Inforom Version", "        Image Version                 : G503.0203.00.05"))
        .isEmpty();
  }

  /// A whole listing of a healthy GPU, and one without ECC.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "        Current                           : Enabled",
        "        Pending                           : Enabled",
        "        Pending                           : Disabled",
        "        Pending                           : N/A",
        "        Single Bit ECC                    : 3",
        "        Double Bit ECC                    : 0",
        "        Pending Page Blacklist            : No",
        "        Pending Page Blacklist            : N/A",
        "        Uncorrectable Error               : 0",
        "        Remapping Failure Occurred        : No",
        "        SRAM Threshold Exceeded       : N/A",
        "    Remapped Rows                         : N/A",
        "    GPU Recovery Action                   : None",
        "        Reset Required                    : No",
      })
  void nothingOfAHealthyGpu(String line) {
    assertThat(told("GPU 00000000:9B:00.0", line)).isEmpty();
  }

  @Test
  void nothingOnceItWasReset() {
    var gpu = "GPU 00000000:9B:00.0";
    var pending = "        Pending                           : ";

    assertThat(told(gpu, pending + "Yes", gpu, pending + "No")).isEmpty();
    assertThat(told(gpu, pending + "No", gpu, pending + "Yes")).hasSize(1);
  }

  /// Other programs have something pending as well.
  @Test
  void nothingWithoutAGpu() {
    assertThat(told("Pending                           : Yes", "Reset Required   : Yes")).isEmpty();
    assertThat(told("        Pending Page Blacklist            : Yes")).hasSize(1);
  }

  @Test
  void noJobDiesOfIt() {
    var lines =
        new ArrayList<>(
            List.of(
                "GPU 00000000:9B:00.0",
                "        Pending                           : Yes",
                "Traceback (most recent call last):",
                "  File \"/workspace/train.py\", line 81, in step",
                "KeyError: 'prompt'"));

    var failed =
        Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
            .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
            .toList();
    assertThat(failed)
        .singleElement()
        .extracting(Finding::observed)
        .asString()
        .contains("KeyError");
    assertThat(Recorded.of(Map.of("job.log", lines.subList(0, 2))).judged().findings())
        .noneMatch(finding -> finding.kind() == FindingKind.JOB_FAILED);
  }

  private static List<Finding> told(String... lines) {
    return Recorded.of(Map.of("smi.txt", Arrays.asList(lines))).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.GPU_ERROR)
        .toList();
  }
}
