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
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Sixteen ranks on one clock in two tensor groups of eight, and a data group for each place in
/// those. Two of a tensor group that are late together are both blamed far more there than the six
/// that wait for them; all eight are late to the calls of their data groups.
class TwoOfEightTest {
  private static final int STEPS = 160;
  private static final int LATE_FROM = 60;
  private static final int LATE_UNTIL = 130;
  private static final double LATE = 0.2;

  /// All alike and evenly spaced: each looks like a step, and who is late to the first is in time
  /// in most.
  private static final int LAYERS = 4;

  private static final double LAYER = 0.1;

  private final SplittableRandom random = new SplittableRandom(7);

  static Stream<Arguments> late() {
    return Stream.of(
        Arguments.of(List.of(12)),
        Arguments.of(List.of(12, 14)),
        Arguments.of(List.of(8, 9, 10, 11, 12, 13, 14, 15)));
  }

  @ParameterizedTest
  @MethodSource("late")
  void areBlamedAloneAndAWholeGroupAsAWhole(List<Integer> late) {
    assertThat(stragglers(Set.copyOf(late)))
        .singleElement()
        .extracting(Finding::ranks)
        .isEqualTo(late);
  }

  private List<Finding> stragglers(Set<Integer> late) {
    var lines = new GroupedLines("worker-%d", 16, true);
    for (int rank = 0; rank < 16; rank++) {
      lines.init(rank, "world", rank, 16);
      lines.init(rank, "tensor" + rank / 8, rank % 8, 8);
      lines.init(rank, "data" + rank % 8, rank / 8, 2);
    }
    double begun = 3;
    for (int step = 0; step < STEPS; step++) {
      boolean slow = step >= LATE_FROM && step < LATE_UNTIL;
      for (int layer = 0; layer < LAYERS; layer++) {
        for (int rank = 0; rank < 16; rank++) {
          boolean waits = layer > 0 && rank >= 8;
          double at = begun + layer * LAYER + jitter();
          lines.call(
              rank,
              "tensor" + rank / 8,
              at + (slow && (waits || late.contains(rank)) ? LATE : 0),
              "AllReduce",
              0,
              8);
        }
      }
      for (int rank = 0; rank < 16; rank++) {
        // who waited goes on when the last one came
        double at = begun + LAYERS * LAYER + jitter() + (slow && rank >= 8 ? LATE : 0);
        lines.call(rank, "data" + rank % 8, at, "ReduceScatter", 0, 2);
      }
      for (int rank = 0; rank < 16; rank++) {
        double at = begun + LAYERS * LAYER + 0.05 + jitter() + (slow ? LATE : 0);
        lines.call(rank, "world", at, "AllReduce", 0, 16);
      }
      begun += (LAYERS + 1) * LAYER + (slow ? LATE : 0);
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
