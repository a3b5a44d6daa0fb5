package io.ringside.streams.detect.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DcgmDiagnosisTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "|                           | Fail - GPU: 3                                  |",
        "| Targeted Stress           | Fail - GPU 3                                   |"
      })
  void aGpuThatFailsATest(String row) {
    assertThat(
            told(
                "| GPU Memory                | Pass - GPUs: 0, 1, 2                           |",
                row))
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.kind()).isEqualTo(FindingKind.GPU_ERROR);
              assertThat(failed.severity()).isEqualTo(Severity.WARNING);
              assertThat(failed.summary()).isEqualTo("GPU 3 fails DCGM's diagnostics");
            });
  }

  @Test
  void severalAndWhichOfThemWasTooHot() {
    assertThat(
            told(
                "|                           | Fail - GPUs: 0, 3                              |",
                "| Warning                   | GPU 0 Thermal violations totaling 13.3 second  |",
                "|                           | s started at 9.7 seconds into the test for GP  |",
                "|                           | U 0 Verify that the cooling on this machine i  |"))
        .extracting(Finding::observed)
        .containsExactly("a test fails on GPU 0, which got too hot in it", "a test fails on GPU 3");
  }

  @Test
  void heatAlone() {
    assertThat(told("There were thermal violations totaling 13.3 seconds for GPU 12"))
        .singleElement()
        .satisfies(
            hot -> {
              assertThat(hot.kind()).isEqualTo(FindingKind.GPU_THROTTLED);
              assertThat(hot.summary()).startsWith("GPU 12 ");
            });
  }

  /// All at once are the driver's fault as likely, and other programs have failures of their own.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "| GPU Memory                | Pass - All                                     |",
        "| GPU Memory                | Skip - GPU: 0                                  |",
        "| Denylist                  | Fail                                           |",
        "| PCIe                      | Fail - All                                     |",
        "test_kernels.py: Fail - GPU: 0 has no triton",
        "Fail - GPU"
      })
  void isNothing(String row) {
    assertThat(told("step 12", row)).isEmpty();
  }

  private static List<Finding> told(String... lines) {
    return Recorded.of(Map.of("diag.log", List.of(lines))).judged().findings();
  }
}
