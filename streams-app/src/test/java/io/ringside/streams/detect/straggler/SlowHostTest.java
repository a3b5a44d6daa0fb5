package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.GroupedLines;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Four hosts of four ranks, some of which are late by a twentieth of a step for a while: as much
/// as uneven data make a rank, but not all ranks of a host at once.
class SlowHostTest {
  private static final int RANKS = 16;
  private static final int STEPS = 220;
  private static final int FROM = 80;
  private static final int UNTIL = 170;
  private static final double LATE = 0.03;

  private final SplittableRandom random = new SplittableRandom(11);

  @Test
  void isToldAsAWhole() {
    assertThat(stragglers(Set.of(8, 9, 10, 11), FROM, false))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(8, 9, 10, 11);
            });
  }

  @Test
  void isNoneOfRanksOnSeveralHosts() {
    assertNote(stragglers(Set.of(3, 6, 9, 12), FROM, false));
  }

  @Test
  void isNoneOfSomeRanksOfOne() {
    assertNote(stragglers(Set.of(8, 9, 10), FROM, false));
  }

  @Test
  void isNoneWhoseRanksWorkOnOneBatch() {
    assertNote(stragglers(Set.of(8, 9, 10, 11), FROM, true));
  }

  @Test
  void isNoneThatIsLateFromTheFirstStepOn() {
    assertNote(stragglers(Set.of(8, 9, 10, 11), 0, false));
  }

  /// It may write checkpoints beside training.
  @Test
  void isNoneOfRank0() {
    assertNote(stragglers(Set.of(0, 1, 2, 3), FROM, false));
  }

  private static void assertNote(List<Finding> findings) {
    assertThat(findings)
        .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.INFO));
  }

  private List<Finding> stragglers(Set<Integer> late, int from, boolean tensorGroups) {
    var lines = new GroupedLines("worker-%d", 4, true);
    for (int rank = 0; rank < RANKS; rank++) {
      lines.init(rank, "world", rank, RANKS);
      if (tensorGroups) {
        lines.init(rank, "tensor" + rank / 4, rank % 4, 4);
      }
    }
    double begun = 3;
    for (int step = 0; step < STEPS; step++) {
      double delay = step >= from && step < UNTIL ? LATE * (0.8 + 0.4 * random.nextDouble()) : 0;
      for (int rank = 0; rank < RANKS; rank++) {
        double at = begun + 0.004 * random.nextDouble() + (late.contains(rank) ? delay : 0);
        lines.call(rank, "world", at, "AllReduce", 0, RANKS);
      }
      for (int rank = 0; tensorGroups && rank < RANKS; rank++) {
        double at = begun + delay + 0.01 + 0.004 * random.nextDouble();
        lines.call(rank, "tensor" + rank / 4, at, "AllReduce", 0, 4);
      }
      begun += 0.5 + delay;
    }
    return Recorded.of(Map.of("run-0.log", lines.byTime())).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }
}
