package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.WrittenRun;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Eight ranks, 300 steps of a quarter of a second. What each is late by is drawn anew for all in
/// each ninth step, and holds: nothing, 20, 50 or 90 ms.
class HeldNoiseTest {
  private static final int RANKS = 8;
  private static final int HOLD = 9;
  private static final double[] LATE = {0, 0, 0.02, 0.05, 0.09};

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void accusesNobody(long seed) {
    assertThat(accused(seed, -1)).extracting(Finding::summary).isEmpty();
  }

  @Test
  void tellsTheRankThatIsLateInAllOfThem() {
    assertThat(accused(3, 2)).singleElement().satisfies(it -> assertThat(it.ranks()).contains(2));
  }

  /// @param straggler from step 60 on late by 150 ms more; -1 for nobody
  private static List<Finding> accused(long seed, int straggler) {
    var random = new Random(seed);
    var run = WrittenRun.of(1, RANKS, "P2P/CUMEM");
    double[] late = new double[RANKS];
    double at = 1;
    for (int step = 0; step < 300; step++) {
      double longest = 0;
      for (int rank = 0; rank < RANKS; rank++) {
        late[rank] = step % HOLD == 0 ? LATE[random.nextInt(LATE.length)] : late[rank];
        double own = late[rank] + (rank == straggler && step >= 60 ? 0.15 : 0);
        longest = Math.max(longest, own);
        run.allReduce(at + own + 0.004 * random.nextDouble(), rank, 4096);
      }
      at += 0.2 + longest;
    }
    return WrittenRun.recorded(run).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .filter(finding -> finding.severity() != Severity.INFO)
        .toList();
  }
}
