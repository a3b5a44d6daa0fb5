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

/// Six ranks on one clock in two groups of experts, {0, 2, 4} and {1, 3, 5}, which exchange tokens
/// by Sends and Recvs. Who of a group is late makes the others of it late to the call of all ranks,
/// and no round tells who it was.
class ExpertsTest {
  private static final int STEPS = 200;
  private static final int LATE_FROM = 60;
  private static final double LATE = 0.2;

  private final SplittableRandom random = new SplittableRandom(11);

  @Test
  void aWholeGroupThatExchangesIsANote() {
    assertThat(stragglers(Set.of(0, 2, 4), 3))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.ranks()).containsExactly(0, 2, 4);
            });
  }

  @Test
  void aRankThatIsLateAloneStaysAccused() {
    assertThat(stragglers(Set.of(2), 3))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isNotEqualTo(Severity.INFO);
              assertThat(finding.ranks()).containsExactly(2);
            });
  }

  @Test
  void ranksThatExchangeNothingStayAccused() {
    assertThat(stragglers(Set.of(0, 2, 4), 0))
        .singleElement()
        .satisfies(finding -> assertThat(finding.severity()).isNotEqualTo(Severity.INFO));
  }

  /// Three stages of a pipeline in four replicas, {0, 4, 8} to {3, 7, 11}. The stages behind the
  /// first wait in receives for what rank 0 sends, and others for them; rank 0 itself hands its
  /// gradients in with the others of its stage.
  @Test
  void stagesThatWaitForWhatTheirPipelineSendsAreANote() {
    var lines = new GroupedLines("worker-%d", 12, true);
    for (int rank = 0; rank < 12; rank++) {
      lines.init(rank, "world", rank, 12);
      lines.init(rank, "data" + rank / 4, rank % 4, 4);
      lines.init(rank, "pipe" + rank % 4, rank / 4, 3);
    }
    double begun = 3;
    for (int step = 0; step < STEPS; step++) {
      boolean slow = step >= LATE_FROM;
      for (int rank = 0; rank < 12; rank++) {
        int stage = rank / 4;
        double waits = slow && rank % 4 == 0 && stage > 0 ? LATE : 0;
        double at = begun + 0.004 * random.nextDouble() + waits;
        if (stage > 0) {
          lines.call(rank, "pipe" + rank % 4, at - waits - 0.05, "Recv", stage - 1, 3);
        }
        if (stage < 2) {
          lines.call(rank, "pipe" + rank % 4, at - 0.04, "Send", stage + 1, 3);
        }
        lines.call(rank, "data" + stage, at, "ReduceScatter", 0, 4);
      }
      begun += 0.3 + (slow ? LATE : 0);
    }

    assertThat(stragglers(lines))
        .isNotEmpty()
        .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.INFO));
  }

  private List<Finding> stragglers(Set<Integer> late, int peers) {
    var lines = new GroupedLines("worker-%d", 6, true);
    for (int rank = 0; rank < 6; rank++) {
      lines.init(rank, "world", rank, 6);
      lines.init(rank, "experts" + rank % 2, rank / 2, 3);
    }
    double begun = 3;
    for (int step = 0; step < STEPS; step++) {
      boolean slow = step >= LATE_FROM;
      for (int rank = 0; rank < 6; rank++) {
        double at = begun + 0.004 * random.nextDouble() + (slow && late.contains(rank) ? LATE : 0);
        for (int peer = 0; peer < peers; peer++) {
          lines.call(rank, "experts" + rank % 2, at, "Send", peer, 3);
          lines.call(rank, "experts" + rank % 2, at, "Recv", peer, 3);
        }
        lines.call(rank, "world", at + 0.05, "AllReduce", 0, 6);
      }
      begun += 0.3 + (slow ? LATE : 0);
    }
    return stragglers(lines);
  }

  private static List<Finding> stragglers(GroupedLines lines) {
    return Recorded.of(Map.of("megatron-0.log", lines.byTime())).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }
}
