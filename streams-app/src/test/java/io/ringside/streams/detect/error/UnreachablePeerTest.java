package io.ringside.streams.detect.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A rank that tries to reach a peer again and again, as NCCL 2.25 writes it.
class UnreachablePeerTest {
  @Test
  void isToldOnceAPeerDidNotAnswerForMinutes() {
    assertThat(errors("Connection timed out", 6))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).as("it may come yet").isEqualTo(Severity.WARNING);
              assertThat(finding.summary()).contains("Connection timed out, attempt 6 of 34");
            });
    assertThat(errors("Connection timed out", 34))
        .extracting(Finding::severity)
        .containsExactly(Severity.CRITICAL);
  }

  @Test
  void isNothingWhileThePeerIsNotUpYet() {
    assertThat(errors("Connection timed out", 2)).isEmpty();
    assertThat(errors("Connection refused", 6)).isEmpty();
  }

  private static List<Finding> errors(String reason, int attempts) {
    var lines = new ArrayList<String>();
    lines.add(
        "worker-0:147:205 [0] NCCL INFO ncclCommInitRank comm 0x5573 rank 0 nranks 16 cudaDev 0 nvmlDev 0 busId 2d000 commId 0xc5194a2a2d53c3b9 - Init START");
    for (int attempt = 1; attempt <= attempts; attempt++) {
      lines.add(
          "worker-0:147:173 [0] NCCL INFO socketStartConnect: connect returned %s, retrying (%d/34) after sleep for 100 msec"
              .formatted(reason, attempt));
    }
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.NCCL_ERROR)
        .toList();
  }
}
