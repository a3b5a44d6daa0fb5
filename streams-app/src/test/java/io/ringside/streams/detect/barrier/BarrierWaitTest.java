package io.ringside.streams.detect.barrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.WrittenRun;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class BarrierWaitTest {
  @Test
  void tellsOfWaitsThatAreForADifferentRankEachTime() {
    var random = new Random(11);
    var found = barriers(rounds(600, _ -> random.nextInt(8), 0.08));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().severity()).isEqualTo(Severity.WARNING);
    assertThat(found.getFirst().ranks()).as("nobody is to blame").isEmpty();
    // 7 of 8 ranks wait 80 of 100 ms
    assertThat(found.getFirst().cost().slowdown()).isCloseTo(1 / (1 - 0.7), within(0.05));
    assertThat(found.getFirst().evidence()).isNotEmpty();
  }

  /// Each rank compiles for each new shape. In mid-run the same is lost.
  @Test
  void saysNothingOfAWarmUp() {
    assertThat(barriers(unevenBetween(0, 600))).isEmpty();
    assertThat(barriers(unevenBetween(1_500, 2_100))).hasSize(1);
  }

  private static WrittenRun unevenBetween(int from, int to) {
    var random = new Random(11);
    return rounds(3_000, step -> step >= from && step < to ? random.nextInt(8) : -1, 0.08);
  }

  @Test
  void isANoteWhereHealthyRanksMayWaitAsLong() {
    var random = new Random(11);
    var found = barriers(rounds(600, _ -> random.nextInt(8), 0.045));

    assertThat(found).extracting(Finding::severity).containsExactly(Severity.INFO);
    assertThat(found.getFirst().expected()).isEqualTo("waits of less than 30 %");
  }

  /// Neither is late in more than half of the rounds, and the waits are less than chance makes
  /// elsewhere.
  @Test
  void tellsOfTwoRanksThatKeepTheOthersWaitingByTurns() {
    var random = new Random(17);
    var found = barriers(rounds(900, step -> step < 200 ? -1 : random.nextBoolean() ? 3 : 6, 0.02));

    assertThat(found).extracting(Finding::severity).containsExactly(Severity.WARNING);
    assertThat(found.getFirst().summary()).endsWith("by turns for ranks 3, 6");
  }

  /// A host stands still as a whole three times, and now one of its ranks is the last, now another.
  @Test
  void saysNothingOfAFewStallsOfAHost() {
    assertThat(barriers(stalls(rank -> rank >= 3 && rank <= 6))).isEmpty();
    assertThat(barriers(stalls(rank -> false))).as("of one rank at a time").hasSize(1);
  }

  private static WrittenRun stalls(IntPredicate together) {
    var random = new Random(17);
    var run = WrittenRun.of(1, 8, "P2P/CUMEM");
    double begin = 1;
    for (int round = 0; round < 900; round++) {
      boolean stall = round == 400 || round == 500 || round == 600;
      int last = round == 500 ? 3 : 6;
      for (int rank = 0; rank < 8; rank++) {
        double own = !stall ? 0 : rank == last ? 5.001 : together.test(rank) ? 5 : 0;
        run.allReduce(
            begin + 0.0003 * random.nextDouble() + own, rank, round % 3 == 0 ? 1024 : 4096);
      }
      begin += 0.1 + (stall ? 5 : 0);
    }
    return run;
  }

  @Test
  void saysNothingOfTwoRanksThatHaveMoreToDoFromTheFirstStepOn() {
    var random = new Random(17);
    assertThat(barriers(rounds(900, _ -> random.nextBoolean() ? 3 : 6, 0.02))).isEmpty();
  }

  @Test
  void saysNothingOfTwoOfWhichOneIsTheFirst() {
    var random = new Random(17);
    assertThat(barriers(rounds(900, step -> step < 200 ? -1 : random.nextBoolean() ? 0 : 6, 0.02)))
        .isEmpty();
  }

  @Test
  void saysNothingWhereWaitsAreForMany() {
    var random = new Random(17);
    assertThat(barriers(rounds(900, step -> step < 200 ? -1 : 1 + random.nextInt(7), 0.02)))
        .isEmpty();
  }

  @Test
  void saysNothingOfAFewLongSteps() {
    var random = new Random(13);
    // 70 s of waiting are seven steps of 10 s
    IntUnaryOperator late = step -> step < 8 || step > 14 ? -1 : random.nextInt(8);
    assertThat(barriers(rounds(30, 10, late, 8))).isEmpty();
  }

  /// A step of ten seconds with a call each two: before the third step nobody knows that five calls
  /// are one step.
  @Test
  void saysNothingWhileNoTurnsShow() {
    var random = new Random(13);
    assertThat(barriers(buckets(13, random))).isEmpty();
    assertThat(barriers(buckets(150, random))).as("of many").hasSize(1);
  }

  private static WrittenRun buckets(int calls, Random random) {
    var run = WrittenRun.of(1, 8, "P2P/CUMEM");
    for (int call = 0; call < calls; call++) {
      int last = random.nextInt(8);
      for (int rank = 0; rank < 8; rank++) {
        run.allReduce(1 + 4 * call + (rank == last ? 3 : 0), rank, 4096 + call % 5);
      }
    }
    return run;
  }

  /// Programs that run ahead make the calls of three steps in a burst, so that most turns are
  /// short.
  @Test
  void saysNothingOfAFewLongStepsWhoseCallsComeInBursts() {
    var random = new Random(13);
    assertThat(barriers(bursts(12, 3, random))).isEmpty();
    assertThat(barriers(bursts(60, 53, random))).as("of many").hasSize(1);
  }

  /// Bursts each 15 s, of which some begin ten seconds late for all but one rank.
  private static WrittenRun bursts(int count, int late, Random random) {
    var run = WrittenRun.of(1, 8, "P2P/CUMEM");
    for (int burst = 0; burst < count; burst++) {
      int last = burst < 3 || burst >= 3 + late ? -1 : random.nextInt(8);
      for (int rank = 0; rank < 8; rank++) {
        double at = 1 + 15 * burst + (rank == last || last < 0 ? 10 : 0);
        for (int call = 0; call < 12; call++) {
          run.allReduce(at + 0.001 * call, rank, 4096 + call % 4);
        }
      }
    }
    return run;
  }

  @Test
  void tellsOfWaitsThatStayBelowTheLimitNowAndThen() {
    var random = new Random(14);
    // each sixth window of five seconds there is no wait at all
    IntUnaryOperator late = step -> step % 300 < 50 ? -1 : random.nextInt(8);
    var found = barriers(rounds(900, late, 0.08));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().cost().slowdown()).isCloseTo(1 / (1 - 0.6), within(0.1));
  }

  @Test
  void goesOnWhileTheNewestWindowIsStillFilling() {
    var random = new Random(11);
    // from :01 to 1:01; the window that begins at 1:00 holds a fifth of its rounds
    var found =
        WrittenRun.recorded(rounds(600, _ -> random.nextInt(8), 0.08))
            .unfinished()
            .judged()
            .findings()
            .stream()
            .filter(finding -> finding.kind() == FindingKind.BARRIER_WAIT)
            .toList();

    assertThat(found).extracting(Finding::state).containsExactly(Finding.State.ACTIVE);
  }

  @Test
  void leavesAStragglerToItsOwnFinding() {
    var findings = WrittenRun.judged(rounds(600, _ -> 3, 0.05)).findings();

    assertThat(findings).extracting(Finding::kind).contains(FindingKind.STRAGGLER);
    assertThat(findings).extracting(Finding::kind).doesNotContain(FindingKind.BARRIER_WAIT);
  }

  @Test
  void saysNothingOfShortWaits() {
    var random = new Random(12);
    assertThat(barriers(rounds(600, _ -> random.nextInt(8), 0.01))).isEmpty();
  }

  @Test
  void believesOneRanksOwnTimersOfItsWaits() {
    var run = WrittenRun.of(1, 4, "P2P/CUMEM");
    double at = 1;
    for (int step = 0; step < 60; step++) {
      at += 0.5;
      run.timers(at, 150, 340);
    }
    table(run, at + 1, 12_000);

    var found = barriers(run);

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().summary()).contains("rank 0 waited for others 40 % of the time");
    assertThat(found.getFirst().evidence()).hasSize(2);
  }

  @Test
  void saysNothingOfSmallOwnWaits() {
    var run = WrittenRun.of(1, 4, "P2P/CUMEM");
    double at = 1;
    for (int step = 0; step < 60; step++) {
      at += 0.5;
      run.timers(at, 150, 340);
    }
    table(run, at + 1, 900);

    assertThat(barriers(run)).isEmpty();
  }

  private static void table(WrittenRun run, double at, double waitedMillis) {
    run.line(
        at,
        "Comm. Op            Message Size        Count               Total comm lat(ms)  Total straggler(ms) Avg comm lat(ms)    Avg straggler(ms)");
    run.line(at + 0.01, "all_gather_into_tensor");
    run.line(
        at + 0.02,
        "                    256.0 B             731                 206.18              %.2f               0.21                0.00                "
            .formatted(waitedMillis));
  }

  /// Rounds of 8 ranks every 100 ms, in each of which one is late.
  private static WrittenRun rounds(int count, IntUnaryOperator late, double seconds) {
    return rounds(count, 0.1, late, seconds);
  }

  private static WrittenRun rounds(int count, double step, IntUnaryOperator late, double seconds) {
    var run = WrittenRun.of(1, 8, "P2P/CUMEM");
    var random = new Random(5);
    for (int round = 0; round < count; round++) {
      double begin = 1 + step * round;
      int last = late.applyAsInt(round);
      for (int rank = 0; rank < 8; rank++) {
        run.allReduce(
            begin + 0.0003 * random.nextDouble() + (rank == last ? seconds : 0),
            rank,
            round % 3 == 0 ? 1024 : 4096);
      }
    }
    return run;
  }

  private static List<Finding> barriers(WrittenRun run) {
    return WrittenRun.judged(run).findings().stream()
        .filter(finding -> finding.kind() == FindingKind.BARRIER_WAIT)
        .toList();
  }
}
