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

/// Six ranks on one clock in two tensor groups of three. Two of a group that are late together are
/// no few in it, so that nobody stands accused there, and all three are late to the call of all
/// ranks.
class TwoOfThreeTest {
  private static final int STEPS = 160;
  private static final int LATE_FROM = 60;
  private static final double LATE = 0.2;

  private final SplittableRandom random = new SplittableRandom(7);

  @Test
  void aRankThatWaitsForBothAmongItsOwnIsNotBlamed() {
    assertThat(stragglers(Set.of(0, 1)))
        .singleElement()
        .extracting(Finding::ranks)
        .isEqualTo(List.of(0, 1));
  }

  @Test
  void aGroupOfWhichNobodyWaitedForAnotherIsBlamedAsAWhole() {
    assertThat(stragglers(Set.of(0, 1, 2)))
        .singleElement()
        .extracting(Finding::ranks)
        .isEqualTo(List.of(0, 1, 2));
  }

  private List<Finding> stragglers(Set<Integer> late) {
    var lines = new GroupedLines("worker-%d", 6, true);
    for (int rank = 0; rank < 6; rank++) {
      lines.init(rank, "world", rank, 6);
      lines.init(rank, "tensor" + rank / 3, rank % 3, 3);
    }
    double begun = 3;
    for (int step = 0; step < STEPS; step++) {
      boolean slow = step >= LATE_FROM;
      for (int rank = 0; rank < 6; rank++) {
        double at = begun + jitter() + (slow && late.contains(rank) ? LATE : 0);
        lines.call(rank, "tensor" + rank / 3, at, "AllReduce", 0, 3);
      }
      for (int rank = 0; rank < 6; rank++) {
        // who waited goes on when the last one came
        double at = begun + 0.1 + jitter() + (slow && rank < 3 ? LATE : 0);
        lines.call(rank, "world", at, "AllReduce", 0, 6);
      }
      begun += 0.3 + (slow ? LATE : 0);
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
