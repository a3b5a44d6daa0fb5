package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.recorded.WrittenRun;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Four calls a step, all alike and evenly spaced: each looks like a step, and one long batch makes
/// its rank late in all four.
class LayersTest {
  private static final double LAYER = 0.4;

  @Test
  void ofThreeLongBatchesAccuseNobody() {
    assertThat(stragglers(3, true)).isEmpty();
  }

  @Test
  void ofManyStepsAreTold() {
    assertThat(stragglers(20, true)).extracting(Finding::ranks).containsExactly(List.of(3));
  }

  @Test
  void areTakenForStepsWhereNoLineTellsHowLongThoseAre() {
    assertThat(stragglers(3, false)).extracting(Finding::ranks).containsExactly(List.of(3));
  }

  private static List<Finding> stragglers(int steps, boolean lines) {
    var run = WrittenRun.of(1, 8, "P2P/CUMEM");
    var random = new Random(5);
    double at = 1;
    for (int step = 0; step < 100; step++) {
      if (lines) {
        run.line(at, "step %d/100 loss 2.3100".formatted(step));
      }
      double late = step >= 40 && step < 40 + steps ? 0.3 : 0;
      for (int layer = 0; layer < 4; layer++) {
        for (int rank = 0; rank < 8; rank++) {
          run.allReduce(at + 0.002 * random.nextDouble() + (rank == 3 ? late : 0), rank, 4096);
        }
        at += LAYER + late;
      }
    }
    return WrittenRun.judged(run).findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }
}
