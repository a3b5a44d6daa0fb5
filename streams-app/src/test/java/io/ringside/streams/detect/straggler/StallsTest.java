package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.schemas.event.StragglerType;
import io.ringside.streams.recorded.WrittenRun;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Steps of 0.4 s, of which one in forty takes ten seconds more since a rank stands.
class StallsTest {
  private static final double STEP = 0.4;
  private static final double STALL = 10;
  private static final int EVERY = 40;

  @Test
  void ofOneRankAreTold() {
    assertThat(stragglers(8, 12, _ -> 3))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isNotEqualTo(Severity.INFO);
              assertThat(finding.ranks()).containsExactly(3);
            });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void thatMoveFromRankToRankAccuseNobody(long seed) {
    var random = new Random(seed);
    assertThat(stragglers(8, 30, _ -> random.nextInt(8))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void thatMoveBetweenTwoRanksAccuseNobody(long seed) {
    var random = new Random(seed);
    assertThat(stragglers(2, 40, _ -> random.nextInt(2)))
        .allMatch(finding -> finding.severity() == Severity.INFO);
  }

  @Test
  void ofOneOfTwoRanksAreANoteAsLongAsChanceMayExplainThem() {
    assertThat(stragglers(2, 12, _ -> 1))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.cause()).isEqualTo("chance");
              assertThat(finding.type()).isEqualTo(StragglerType.UNKNOWN);
              assertThat(finding.ranks()).containsExactly(1);
            });
    assertThat(stragglers(2, 30, _ -> 1))
        .singleElement()
        .extracting(Finding::severity)
        .isNotEqualTo(Severity.INFO);
  }

  /// As it stands for evaluations and checkpoints.
  @Test
  void ofRank0AccuseNobody() {
    assertThat(stragglers(8, 12, _ -> 0)).isEmpty();
  }

  @Test
  void areNothingIfFew() {
    assertThat(stragglers(8, 5, _ -> 3)).isEmpty();
  }

  /// @param who stands, by the number of the stall
  private static List<Finding> stragglers(int ranks, int stalls, IntUnaryOperator who) {
    var run = WrittenRun.of(1, ranks, "P2P/CUMEM");
    var random = new Random(5);
    double at = 1;
    for (int step = 0; step < EVERY * (stalls + 1); step++) {
      int late = step > 0 && step % EVERY == 0 ? who.applyAsInt(step / EVERY) : -1;
      double longer = late < 0 ? 0 : STALL * (0.8 + 0.4 * random.nextDouble());
      for (int rank = 0; rank < ranks; rank++) {
        double own = at + 0.002 * random.nextDouble() + (rank == late ? longer : 0);
        run.allReduce(own, rank, 4096);
        run.allReduce(at + longer + 0.05 + 0.002 * random.nextDouble(), rank, 1024);
      }
      at += STEP + longer;
    }
    return WrittenRun.judged(run).findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }
}
