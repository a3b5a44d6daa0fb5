package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.TimeBasis;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs that call three collectives together once a step of half a second.
class RoundsTest {
  private static final long MILLI = 1_000_000;
  private static final long BEGIN = 1_790_000_000_000L * MILLI;
  private static final int STEP_MILLIS = 500;
  private static final Evidence LINE = new Evidence(null, "node", "pod", "file", 0, "");

  /// How much later than the others a rank comes to a step, in milliseconds.
  private interface Lateness {
    double millis(int step, int rank);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8, 64})
  void blamesNobodyWhereChanceDecidesWhoIsLast(int ranks) {
    var random = new SplittableRandom(ranks);
    var rounds = job(ranks, 2_000, (_, _) -> 200 * random.nextDouble(), _ -> "one log");

    assertThat(rounds.waits().closedStreaks()).isEmpty();
    assertThat(rounds.waits().openStreaks()).isEmpty();
    assertThat(rounds.waits().lostSeconds()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8, 64})
  void blamesTheRankThatIsLateFromSomeStepOn(int ranks) {
    var random = new SplittableRandom(ranks);
    var rounds =
        job(
            ranks,
            200,
            (step, rank) -> 30 * random.nextDouble() + (rank == 1 && step >= 100 ? 60 : 0),
            rank -> "log " + rank);

    assertThat(rounds.waits().openStreaks()).singleElement().extracting(Streak::rank).isEqualTo(1);
    var streak = rounds.waits().openStreaks().getFirst();
    // a few late steps of mere chance just before are part of it
    assertThat(streak.sinceNanos()).isBetween(at(80), at(110));
    assertThat(streak.convincedNanos()).isLessThan(at(145));
    assertThat(streak.episodes()).isGreaterThan(80);
  }

  @Test
  void blamesTheOneOfTwoRanksThatIsAlwaysLateIfOneLogHasBoth() {
    var rounds = job(2, 120, (_, rank) -> rank == 0 ? 60 : 0, _ -> "one log");

    assertThat(rounds.waits().openStreaks()).extracting(Streak::rank).containsExactly(0);
  }

  @Test
  void takesARankThatIsAlwaysLateInALogOfItsOwnForAWrongClock() {
    var rounds = job(4, 400, (_, rank) -> rank == 3 ? 60 : 0, rank -> "log " + rank);

    assertThat(rounds.waits().openStreaks()).isEmpty();
  }

  @Test
  void waitsForRanksThatAreReadAfterTheOthersHaveEnded() {
    var rounds = new Rounds(4);
    var straight = new Rounds(4);
    Lateness late = (step, rank) -> rank == step % 4 ? 30 : 0;
    for (int rank = 0; rank < 4; rank++) {
      add(straight, rank, 0, 40, "log " + rank, late);
      if (rank == 2) {
        assertThat(rounds.ended().completed()).isEqualTo(3 * 40);
        assertThat(rounds.completed()).isZero();
      }
      add(rounds, rank, 0, 40, "log " + rank, late);
    }

    assertThat(rounds.ended().completed()).isEqualTo(3 * 40);
    assertThat(rounds.ended().waits().lostSeconds())
        .isEqualTo(straight.ended().waits().lostSeconds())
        .isPositive();
    assertThat(rounds.ended().waits().waitSeconds(0))
        .isEqualTo(straight.ended().waits().waitSeconds(0));
  }

  @Test
  void alignsNothingAfterLinesOfARankWereLost() {
    var rounds = new Rounds(4);
    for (int rank = 0; rank < 4; rank++) {
      add(rounds, rank, 0, 40, "log " + rank, (_, _) -> 0);
    }
    // ten steps of rank 1 are gone: what it calls next bears the ordinals of calls ten steps before
    rounds.cut(1);
    for (int rank = 0; rank < 4; rank++) {
      boolean shifted = rank == 1;
      add(rounds, rank, 40, 140, "log " + rank, (_, _) -> shifted ? 10 * STEP_MILLIS : 0);
    }
    rounds = rounds.ended();

    assertThat(rounds.cutOff()).isTrue();
    assertThat(rounds.completed()).isEqualTo(3 * 40);
    assertThat(rounds.waits().openStreaks()).isEmpty();
    assertThat(rounds.standstill()).isEmpty();
  }

  @Test
  void blamesTwoRanksThatAreLateTogether() {
    var random = new SplittableRandom(5);
    var rounds =
        job(
            8,
            120,
            (_, rank) -> 10 * random.nextDouble() + (rank == 2 || rank == 5 ? 80 : 0),
            _ -> "one log");

    assertThat(rounds.waits().openStreaks()).extracting(Streak::rank).containsExactly(2, 5);
  }

  @Test
  void blamesNobodyForCheckpointsThatOneRankWrites() {
    var rounds =
        job(4, 1_000, (step, rank) -> rank == 0 && step % 40 == 0 ? 2_000 : 0, _ -> "one log");

    assertThat(rounds.waits().openStreaks()).isEmpty();
    assertThat(rounds.waits().closedStreaks()).isEmpty();
  }

  /// Rank 5 is late in each fifth step. Checkpoints of rank 0 and the evaluation that it does now
  /// and then hide nobody.
  @Test
  void blamesTheRankThatIsLateInFewStepsOverCheckpointsAndEvaluations() {
    var random = new SplittableRandom(14);
    var rounds =
        job(
            15,
            600,
            (step, rank) ->
                30 * random.nextDouble()
                    + (rank == 5 && step % 5 == 2 ? 1_900 : 0)
                    + (rank == 0 && step % 12 == 11 ? 200 : 0)
                    + (rank == 0 && step % 150 == 149 ? 16_000 : 0),
            rank -> "log " + rank);

    assertThat(rounds.waits().streaksAmongWaits())
        .allSatisfy(streak -> assertThat(streak.rank()).isEqualTo(5))
        .extracting(Streak::episodes)
        .anySatisfy(episodes -> assertThat(episodes).isGreaterThan(100));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void blamesNobodyWhereChanceDecidesWhoIsLateInFewSteps(long seed) {
    var random = new SplittableRandom(seed);
    var who = random.ints(2_000, 0, 3).toArray();
    var rounds =
        job(
            3,
            2_000,
            (step, rank) ->
                30 * random.nextDouble() + (step % 5 == 2 && rank == who[step] ? 1_900 : 0),
            _ -> "one log");

    assertThat(rounds.waits().streaksAmongWaits()).isEmpty();
  }

  @Test
  void countsPausesByTheirWeight() {
    // rank 0 writes a checkpoint each thirty steps, and a line each tenth
    var rounds =
        job(
            2,
            900,
            (step, rank) -> rank == 1 ? 0 : step % 30 == 0 ? 1_400 : step % 10 == 0 ? 18 : 0,
            _ -> "one log");

    assertThat(rounds.waits().streaksAmongWaits())
        .isNotEmpty()
        .allSatisfy(streak -> assertThat(streak.bursts()).isBetween(25.0, 35.0));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void blamesNobodyWhenAllWaitsGrowAtOnce(long seed) {
    var random = new SplittableRandom(seed);
    // steps become longer at the five hundredth, and what ranks differ by with them
    var rounds =
        job(8, 2_000, (step, _) -> (step < 500 ? 30 : 75) * random.nextDouble(), _ -> "one log");

    assertThat(rounds.waits().closedStreaks()).isEmpty();
    assertThat(rounds.waits().openStreaks()).isEmpty();
  }

  @Test
  void estimatesClocksWhereTwoOfThreeAreOftenLateTogether() {
    var random = new SplittableRandom(9);
    // collections of garbage, of each rank in its own steps: nodes 0 and 2 share a fifth of theirs
    var steps =
        List.of(
            Set.of(0, 13, 6, 19, 12, 5, 18, 11),
            Set.of(4, 17, 10, 3, 16, 9, 2, 15),
            Set.of(8, 1, 14, 7, 0, 13, 6, 19));
    var rounds =
        job(
            6,
            600,
            (step, rank) ->
                4 * random.nextDouble() + (steps.get(rank / 2).contains(step % 20) ? 60 : 0),
            rank -> "node " + rank / 2);

    assertThat(rounds.waits().openStreaks()).isEmpty();
    assertThat(rounds.waits().closedStreaks()).isEmpty();
    assertThat(rounds.waits().streaksAmongWaits()).isEmpty();
  }

  @Test
  void takesNoClockFromStepsInWhichItsRankWasLate() {
    var random = new SplittableRandom(6);
    var rounds =
        job(
            2,
            300,
            (step, rank) ->
                40 * random.nextDouble() + (rank == 1 && step >= 30 && step < 100 ? 100 : 0),
            rank -> "node " + rank);

    assertThat(rounds.waits().closedStreaks())
        .singleElement()
        .extracting(Streak::rank)
        .isEqualTo(1);
    // as healthy ranks that differ by up to 40 ms do; with half of the delay in its clock it would
    // be 50
    assertThat(rounds.waits().openStreaks()).isEmpty();
    assertThat(rounds.waits().closedStreaks().getFirst().blamedSeconds()).isBetween(5.5, 7.7);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void blamesNeitherSideForLoadThatMovesBetweenTwoClocks(long seed) {
    var random = new SplittableRandom(seed);
    var late = random.ints(500, 0, 2).toArray();
    var delay = random.doubles(500, 60, 300).toArray();
    // the median of what the clocks differ by lies anywhere between both sides' delays
    var rounds =
        job(
            16,
            500,
            (step, rank) -> 10 * random.nextDouble() + (rank / 8 == late[step] ? delay[step] : 0),
            rank -> "node " + rank / 8);

    assertThat(rounds.waits().streaksAmongWaits()).isEmpty();
    assertThat(
            Stream.concat(
                rounds.waits().openStreaks().stream(), rounds.waits().closedStreaks().stream()))
        .allSatisfy(streak -> assertThat(streak.shareOfWaits()).isLessThan(0.6));
  }

  @Test
  void readsClocksOffTheCallsToWhichRanksComeTogether() {
    // one rank in a log of its own is late to the first call of each step, from the first step on;
    // all make the next
    // calls when that one is done
    var random = new SplittableRandom(11);
    var rounds = new Rounds(4);
    for (int rank = 0; rank < 4; rank++) {
      var nanos = new long[3 * 200];
      for (int step = 0; step < 200; step++) {
        for (int call = 0; call < 3; call++) {
          double late = call == 0 ? 5 * random.nextDouble() + (rank == 3 ? 60 : 0) : 70 + call;
          nanos[3 * step + call] = at(step) + Math.round(late * MILLI);
        }
      }
      rounds.add(arrivals(rank, 0, nanos), Clock.of("log " + rank), _ -> LINE);
    }
    rounds = rounds.ended();

    assertThat(rounds.waits().openStreaks()).extracting(Streak::rank).containsExactly(3);
  }

  @Test
  void followsAClockThatDrifts() {
    var random = new SplittableRandom(3);
    // ten millionths: 20 ms in 2,000 s, more than any rank is late here
    var rounds =
        timed(
            4,
            4_000,
            (step, rank) -> 5 * random.nextDouble() + (rank == 2 ? step * STEP_MILLIS * 1e-5 : 0),
            rank -> "log " + rank);

    assertThat(rounds.waits().openStreaks()).isEmpty();
    assertThat(rounds.waits().closedStreaks()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void takesRanksThatSeemLateWhileStepsAreNoLongerForAClockThatWasSet(int ofNode) {
    var random = new SplittableRandom(4);
    var rounds =
        timed(
            3 * ofNode,
            600,
            (step, rank) -> 5 * random.nextDouble() + (rank < ofNode && step >= 200 ? 120 : 0),
            rank -> "node " + rank / ofNode);

    assertThat(rounds.waits().openStreaks()).isEmpty();
    assertThat(rounds.waits().closedStreaks()).isEmpty();
    // after the clock is measured anew nobody seems to wait
    assertThat(rounds.waits().lostSeconds()).isLessThan(0.12 * 100);
  }

  @Test
  void blamesNobodyForCallsFarAheadOfTheGpus() {
    var random = new SplittableRandom(8);
    // all but rank 0 call two steps ahead
    var rounds =
        timed(
            8,
            400,
            (_, rank) -> 20 * random.nextDouble() + (rank == 0 ? 1_200 : 0),
            _ -> "one log");

    assertThat(rounds.waits().openStreaks()).noneMatch(Streak::delaysOthers);
  }

  @Test
  void blamesHalfOfTheRanksThatAreLateTogether() {
    // four of eight hosts behind one slow filer: another of their ranks is the last each time
    var random = new SplittableRandom(45);
    var rounds =
        job(
            64,
            260,
            (step, rank) -> 40 * random.nextDouble() + (rank >= 32 && step >= 90 ? 170 : 0),
            rank -> "node " + rank / 8);

    assertThat(rounds.waits().openStreaks())
        .extracting(Streak::rank)
        .containsExactlyElementsOf(IntStream.range(32, 64).boxed().toList());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void blamesNobodyWhereEachRankGoesOnAtItsOwnPace(long seed) {
    // bound by data loaders: a GPU is done long before its CPU calls again, and who lags behind
    // only lags
    var random = new SplittableRandom(seed);
    int steps = 600;
    var walk = new double[8][steps];
    for (int rank = 0; rank < 8; rank++) {
      double millis = 20 * rank;
      for (int step = 0; step < steps; step++) {
        millis += 10 * random.nextDouble() - 5;
        walk[rank][step] = millis;
      }
    }
    var rounds = timed(8, steps, (step, rank) -> walk[rank][step], _ -> "one log");

    assertThat(rounds.waits().openStreaks()).noneMatch(Streak::delaysOthers);
    assertThat(rounds.waits().closedStreaks()).noneMatch(Streak::delaysOthers);
  }

  @Test
  void blamesAStragglerBesideARankWithDutiesOnItsHost() {
    // rank 1 is late in each step but those in which rank 0, on its host, writes a checkpoint
    var random = new SplittableRandom(29);
    var rounds =
        job(
            8,
            400,
            (step, rank) -> {
              boolean checkpoint = step % 40 == 39;
              double late = rank == 0 && checkpoint ? 400 : rank == 1 && !checkpoint ? 80 : 0;
              return 8 * random.nextDouble() + late;
            },
            rank -> "host " + rank / 2);

    assertThat(rounds.waits().openStreaks())
        .filteredOn(Streak::delaysOthers)
        .extracting(Streak::rank)
        .contains(1);
  }

  @Test
  void measuresClocksWithoutTheRanksWhoseLogIsMissing() {
    var random = new SplittableRandom(9);
    var rounds = new Rounds(5);
    for (int rank = 0; rank < 4; rank++) {
      boolean ahead = rank == 2;
      add(
          rounds,
          rank,
          0,
          400,
          "log " + rank,
          (_, _) -> 3 * random.nextDouble() + (ahead ? 19 : 0));
    }
    rounds = rounds.ended();

    assertThat(rounds.completed()).isPositive();
    assertThat(rounds.waits().openStreaks()).noneMatch(Streak::delaysOthers);
    assertThat(rounds.waits().closedStreaks()).noneMatch(Streak::delaysOthers);
  }

  @Test
  void tellsWhoMadeACallThatOthersDidNot() {
    var rounds = new Rounds(3);
    for (int rank = 0; rank < 3; rank++) {
      add(rounds, rank, 0, rank == 1 ? 5 : 6, "one log", (_, _) -> 0);
    }

    assertThat(rounds.standstill())
        .hasValueSatisfying(
            standstill -> {
              assertThat(standstill.missing()).containsExactly(1);
              assertThat(standstill.waiting()).containsExactlyInAnyOrder(0, 2);
            });
  }

  /// Rank 1 makes a call of its own before call 100. From then on it is one call ahead of the
  /// others, and NCCL may pair the calls without a word.
  @Test
  void tellsARankWhoseCallsAreShiftedByOneOfItsOwn() {
    assertThat(shifted(100, Integer.MAX_VALUE)).containsExactly(1);
  }

  /// Lines that were lost leave it with fewer calls, and what others lose shows in other rounds.
  @Test
  void takesLostLinesForNoCallOfItsOwn() {
    assertThat(shifted(Integer.MAX_VALUE, 100)).isEmpty();
    assertThat(shifted(100, 150)).isEmpty();
    assertThat(shifted(Integer.MAX_VALUE, Integer.MAX_VALUE)).isEmpty();
  }

  /// @param extra before which call rank 1 makes one of its own
  /// @param lost which line of rank 2 is lost
  private static Set<Integer> shifted(int extra, int lost) {
    var rounds = new Rounds(4);
    var next = new int[4];
    for (int call = 0; call < 300; call++) {
      for (int rank = 0; rank < 4; rank++) {
        if (rank == 1 && call == extra) {
          Calls.add(rounds, rank, next[rank]++, call * 0.1, "host", 7);
        }
        if (rank != 2 || call != lost) {
          Calls.add(rounds, rank, next[rank]++, call * 0.1, "host", call % 3);
        }
      }
    }
    return rounds.shifted();
  }

  private static long at(int step) {
    return BEGIN + (long) step * STEP_MILLIS * MILLI;
  }

  /// Steps of which each ends half a second after the last rank came to the one before: all felt
  /// who was late.
  private static Rounds job(int ranks, int steps, Lateness lateness, IntFunction<String> log) {
    var millis = new double[steps][ranks];
    for (int from = 0; from < steps; from += 20) {
      for (int rank = 0; rank < ranks; rank++) {
        for (int step = from; step < Math.min(steps, from + 20); step++) {
          millis[step][rank] = lateness.millis(step, rank);
        }
      }
    }
    var longer = new double[steps];
    for (int step = 1; step < steps; step++) {
      longer[step] = longer[step - 1] + Arrays.stream(millis[step - 1]).max().orElse(0);
    }
    return timed(ranks, steps, (step, rank) -> longer[step] + millis[step][rank], log);
  }

  /// The same where each step begins at its own time, whoever came to the one before and when.
  private static Rounds timed(int ranks, int steps, Lateness lateness, IntFunction<String> log) {
    var rounds = new Rounds(ranks);
    for (int from = 0; from < steps; from += 20) {
      for (int rank = 0; rank < ranks; rank++) {
        add(rounds, rank, from, Math.min(steps, from + 20), log.apply(rank), lateness);
      }
    }
    return rounds.ended();
  }

  private static void add(
      Rounds rounds, int rank, int from, int to, String log, Lateness lateness) {
    var nanos = new long[3 * (to - from)];
    for (int step = from; step < to; step++) {
      long call = at(step) + Math.round(lateness.millis(step, rank) * MILLI);
      for (int i = 0; i < 3; i++) {
        nanos[3 * (step - from) + i] = call + i * MILLI / 10;
      }
    }
    rounds.add(arrivals(rank, 3L * from, nanos), Clock.of(log), _ -> LINE);
  }

  private static Arrivals arrivals(int rank, long firstOrdinal, long[] nanos) {
    var signatures = IntStream.range(0, nanos.length).map(i -> 1 + i % 3).toArray();
    return new Arrivals(
        7,
        "0xc",
        rank,
        TimeBasis.CONTAINER,
        firstOrdinal,
        nanos,
        signatures,
        List.of(),
        0,
        0,
        null);
  }
}
