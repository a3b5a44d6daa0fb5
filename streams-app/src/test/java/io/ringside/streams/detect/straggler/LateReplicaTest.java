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

/// Four replicas of a pipeline of two stages, 0 to 3 and 4 to 7, with a data group each, on one
/// clock. The first stage comes last to the call of all, in every step: that is the pipeline's
/// shape.
class LateReplicaTest {
  private static final int STEPS = 60;
  private static final double LATE = 0.17;

  private final SplittableRandom random = new SplittableRandom(26);

  /// Ranks 2 and 6 send to each other, so either may be the one that is late from the first step
  /// on.
  @Test
  void isToldThoughTheFirstStageIsLateForAll() {
    var straggler = stragglers(LATE).getFirst();

    assertThat(straggler.ranks()).isEqualTo(List.of(2, 6));
    assertThat(straggler.severity()).isEqualTo(Severity.INFO);
    assertThat(straggler.cause()).isEqualTo("unknown");
  }

  @Test
  void isNoneWhereTheFirstStageAloneIsLate() {
    assertThat(stragglers(0)).isEmpty();
  }

  private List<Finding> stragglers(double late) {
    var lines = new GroupedLines("worker-%d", 8, true);
    for (int rank = 0; rank < 8; rank++) {
      lines.init(rank, "world", rank, 8);
      lines.init(rank, "data" + rank / 4, rank % 4, 4);
      lines.init(rank, "pipe" + rank % 4, rank / 4, 2);
    }
    double begun = 3;
    for (int step = 0; step < STEPS; step++) {
      for (int rank = 0; rank < 8; rank++) {
        boolean first = rank < 4;
        double own = rank % 4 == 2 ? late : 0;
        double done = begun + 0.4 + (first ? 0.08 : 0);
        lines.call(
            rank,
            "pipe" + rank % 4,
            begun + 0.2 + own / 2,
            first ? "Send" : "Recv",
            first ? 1 : 0,
            2);
        lines.call(rank, "data" + rank / 4, done + own + jitter(), "AllReduce", 0, 4);
        lines.call(rank, "world", done + late + 0.03 + jitter(), "AllReduce", 0, 8);
      }
      begun += 0.6 + late;
    }
    return Recorded.of(Map.of("megatron-0.log", lines.byTime())).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }

  private double jitter() {
    return 0.004 * random.nextDouble();
  }
}
