package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.WrittenRun;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Steps of 0.4 s of eight ranks: a rank that is late by two unlike amounts at two times is judged
/// by the larger.
class StretchesTest {
  private static final double STEP = 0.4;

  /// How much later than the others a rank comes to a step, in seconds.
  private interface Lateness {
    double seconds(int step, int rank);
  }

  /// Its data are a little longer once more a while later, as everybody's are at times.
  @Test
  void theSmallOneDoesNotExcuseTheLarge() {
    var found =
        stragglers(
            900,
            (step, rank) ->
                rank == 4 && step >= 80 && step < 200
                    ? 0.12
                    : rank == 4 && step >= 600 && step < 640 ? 0.02 : held(step, rank));

    assertThat(found)
        .filteredOn(finding -> finding.severity() != Severity.INFO)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.ranks()).containsExactly(4);
              assertThat(finding.summary()).contains("late 1").doesNotContain("late 15");
            });
  }

  /// Its checkpoints are stalls, each for the same rank, and cost little; that its data are longer
  /// for a while as well is no more than it is of anybody else.
  @Test
  void rarePausesOfRank0AccuseItOfNothingElse() {
    var found =
        stragglers(
            900,
            (step, rank) ->
                rank == 0 && step % 45 == 44
                    ? 0.9
                    : rank == 0 && step >= 600 && step < 660 ? 0.02 : 0);

    assertThat(found).allMatch(finding -> finding.severity() == Severity.INFO);
  }

  /// Two others are as late for forty steps each.
  @Test
  void oneThatLastsTenTimesAsLongAsOthersIsNoneOfTheirKind() {
    assertThat(
            stragglers(
                900, (step, rank) -> rank == 4 ? within(step, 200, 600) : others(step, rank)))
        .filteredOn(finding -> finding.severity() != Severity.INFO)
        .extracting(Finding::ranks)
        .containsExactly(List.of(4));
  }

  @Test
  void oneThatLastsALittleLongerMayBeItsData() {
    assertThat(
            stragglers(
                900, (step, rank) -> rank == 4 ? within(step, 200, 300) : others(step, rank)))
        .isNotEmpty()
        .allMatch(finding -> finding.severity() == Severity.INFO);
  }

  private static double others(int step, int rank) {
    return rank == 1 ? within(step, 100, 140) : rank == 2 ? within(step, 700, 740) : 0;
  }

  private static double within(int step, int from, int to) {
    return step >= from && step < to ? 0.07 : 0;
  }

  private static double held(int step, int rank) {
    int of = step / 60 % 8;
    return rank != 4 && rank == of && step % 60 < 40 && (step < 70 || step > 220) ? 0.02 : 0;
  }

  private static List<Finding> stragglers(int steps, Lateness lateness) {
    var run = WrittenRun.of(1, 8, "P2P/CUMEM");
    var random = new Random(5);
    double at = 1;
    for (int step = 0; step < steps; step++) {
      double longest = 0;
      for (int rank = 0; rank < 8; rank++) {
        double late = lateness.seconds(step, rank);
        longest = Math.max(longest, late);
        run.allReduce(at + late + 0.002 * random.nextDouble(), rank, 4096);
      }
      for (int rank = 0; rank < 8; rank++) {
        run.allReduce(at + longest + 0.05 + 0.002 * random.nextDouble(), rank, 1024);
      }
      at += STEP + longest;
    }
    return WrittenRun.judged(run).findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .toList();
  }
}
