package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.GroupedLines;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Eight ranks on one clock: tensor groups {0,1} {2,3} {4,5} {6,7}, data groups {0,2} {1,3} {4,6}
/// {5,7}, and a pipeline of two stages, 0 to 3 and 4 to 7.
class UpstreamTest {
  private static final int STEPS = 160;
  private static final int LATE_FROM = 30;
  private static final double LATE = 0.1;
  private static final int TENSOR_CALLS = 3;

  private final SplittableRandom random = new SplittableRandom(25);

  /// Rank 5 is late in each call of its tensor group; rank 4 waits for it, and stage 0 of this
  /// replica for what stage 1 sends back.
  @Test
  void blamesTheRankThatIsLateAmongItsOwnAndNotTheStageThatWaitsForIt() {
    assertThat(stragglers(5)).singleElement().extracting(Finding::ranks).isEqualTo(List.of(5));
  }

  @Test
  void blamesAStageOfWhichNobodyElseIsTheCause() {
    // both ranks of stage 0 are late in their data groups, and all of stage 1 is in time
    assertThat(stragglers(-1)).flatExtracting(Finding::ranks).contains(0, 1);
  }

  private List<Finding> stragglers(int late) {
    var lines = new GroupedLines("worker-%d", 8, true);
    for (int rank = 0; rank < 8; rank++) {
      lines.init(rank, "world", rank, 8);
      lines.init(rank, "tensor" + rank / 2, rank % 2, 2);
      lines.init(rank, "data" + (rank / 4 * 2 + rank % 2), rank % 4 / 2, 2);
      lines.init(rank, "pipe" + rank % 4, rank / 4, 2);
    }
    double begun = 3;
    for (int step = 0; step < STEPS; step++) {
      boolean slow = step >= LATE_FROM;
      double stage = 0;
      for (int call = 0; call < TENSOR_CALLS; call++) {
        for (int rank = 0; rank < 8; rank++) {
          boolean own = slow && rank == late;
          // who waited for rank 5 goes on when it came
          boolean waited = slow && late >= 0 && rank / 2 == late / 2;
          double at = begun + 0.1 * call + jitter() + (waited ? LATE * call : 0) + (own ? LATE : 0);
          lines.call(rank, "tensor" + rank / 2, at, "AllReduce", 0, 2);
        }
      }
      if (slow) {
        stage = TENSOR_CALLS * LATE;
      }
      for (int rank = 0; rank < 8; rank++) {
        boolean waits = stage > 0 && (rank < 2 || late >= 0 && rank / 2 == late / 2);
        double at = begun + 0.35 + (waits ? stage : 0) + jitter();
        boolean first = rank < 4;
        lines.call(rank, "pipe" + rank % 4, at, first ? "Send" : "Recv", first ? 1 : 0, 2);
        lines.call(rank, "data" + (rank / 4 * 2 + rank % 2), at + 0.05, "AllReduce", 0, 2);
      }
      begun += 0.6 + stage;
    }
    return Recorded.of(Map.of("megatron-0.log", lines.byTime())).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .filter(finding -> finding.severity() != Severity.INFO)
        .toList();
  }

  private double jitter() {
    return 0.004 * random.nextDouble();
  }
}
