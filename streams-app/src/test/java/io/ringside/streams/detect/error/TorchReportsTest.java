package io.ringside.streams.detect.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TorchReportsTest {
  private static final String ERROR =
      "NCCL Error 2: unhandled system error (run with NCCL_DEBUG=INFO for details)";

  private static final String EPOCH = "2026-08-18 16:13:11 | Epoch 001/001 | loss 10.8668 | 121.3s";

  @Test
  void tellsOfAnErrorThatAProgramWarnsOfAndGoesOn() {
    assertThat(
            errors(
                "/opt/app/trainer.py:160: RuntimeWarning: no second GPU. Original error: " + ERROR,
                "  warnings.warn(",
                EPOCH))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.WARNING);
              assertThat(error.summary()).contains("goes on", ERROR);
            });
  }

  @Test
  void tellsOfAnErrorThatAProgramRaises() {
    assertThat(
            errors(
                "Traceback (most recent call last):",
                "  File \"/opt/app/trainer.py\", line 81, in step",
                "RuntimeError: " + ERROR))
        .hasSize(1);
  }

  @Test
  void takesNoAdviceForAnError() {
    assertThat(errors("If you meet " + ERROR + ", set NCCL_P2P_DISABLE=1", EPOCH)).isEmpty();
    assertThat(
            errors(
                "/opt/app/trainer.py:160: UserWarning: NCCL Error handling is set to abort", EPOCH))
        .isEmpty();
  }

  private static List<Finding> errors(String... lines) {
    return Recorded.of(Map.of("job.log", Arrays.asList(lines))).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.NCCL_ERROR)
        .toList();
  }
}
