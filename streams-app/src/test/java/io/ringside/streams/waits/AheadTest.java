package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A program that runs ahead: each step makes two calls, at most three steps are queued, and every
/// tenth step all wait for their GPUs. A rank whose program is slow is the last to call long before
/// anybody waits for it.
class AheadTest {
  private static final int RANKS = 4;
  private static final int LAST = 3;
  private static final int STEPS = 300;
  private static final int FROM = 100;
  private static final int UNTIL = 220;
  private static final int QUEUED = 6;
  private static final int SYNC = 10;
  private static final double GPU = 0.5;

  /// What the last rank's program and everybody's data do.
  ///
  /// @param host seconds its program takes for a step
  /// @param gpu seconds each GPU works in a step
  /// @param reads whether its program waits for its GPU in each step from {@link #FROM} until
  ///   {@link #UNTIL}
  /// @param ahead seconds its clock is ahead, if the ranks have clocks of their own; NaN if not
  private record Job(
      IntToDoubleFunction host, IntToDoubleFunction gpu, boolean reads, IntToDoubleFunction ahead) {
    static Job of(IntToDoubleFunction host, IntToDoubleFunction gpu) {
      return new Job(host, gpu, false, _ -> Double.NaN);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void tellsHowMuchLongerStepsBecameForARankThatHoldsAllUp(long seed) {
    var told = atTheEnd(Job.of(between(0.02, 0.65), _ -> GPU), seed);
    assertThat(told.keySet()).containsExactly(LAST);
    // of 0.65 s half a second would have passed anyway; it seems late by all of it
    assertThat(told.get(LAST)).isBetween(0.15, 0.35);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void accusesNobodyWhoHasTimeToSpare(long seed) {
    assertThat(ever(Job.of(between(0.02, 0.2), _ -> GPU), seed)).isLessThan(0.1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void accusesNobodyWhoReadsTheLossInEachStep(long seed) {
    assertThat(ever(new Job(_ -> 0.02, _ -> GPU, true, _ -> Double.NaN), seed)).isLessThan(0.1);
  }

  /// The data of all ranks become longer some steps before, or after.
  @ParameterizedTest
  @ValueSource(ints = {40, 70, 130, 160})
  void accusesNobodyForLongerDataAtAnotherTime(int longer) {
    var job = new Job(_ -> 0.02, step -> step < longer ? GPU : 1.3 * GPU, true, _ -> Double.NaN);
    assertThat(ever(job, 1)).isLessThan(0.1);
    assertThat(ever(job, 2)).isLessThan(0.1);
  }

  /// They become longer in the very step, and stay so once the rank is in time again.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void takesBackWhatDoesNotEndWithTheLateness(long seed) {
    var job = new Job(_ -> 0.02, step -> step < FROM ? GPU : 1.3 * GPU, true, _ -> Double.NaN);
    assertThat(atTheEnd(job, seed)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void accusesNobodyWhoseClockIsSetAsTheDataBecomeLonger(long seed) {
    var job =
        new Job(
            _ -> 0.02,
            between(GPU, 1.3 * GPU),
            false,
            step -> step < FROM || step >= UNTIL ? 0 : 0.9);
    assertThat(ever(job, seed)).isLessThan(0.1);
  }

  private static IntToDoubleFunction between(double usual, double meanwhile) {
    return step -> step < FROM || step >= UNTIL ? usual : meanwhile;
  }

  /// Share of the time that each rank is told to have cost the others.
  private static TreeMap<Integer, Double> atTheEnd(Job job, long seed) {
    var rounds = new Rounds(RANKS);
    play(job, seed, rounds);
    return told(rounds);
  }

  /// The most that anybody is told to have cost, at any time.
  private static double ever(Job job, long seed) {
    return play(job, seed, new Rounds(RANKS));
  }

  private static TreeMap<Integer, Double> told(Rounds rounds) {
    var told = new TreeMap<Integer, Double>();
    Stream.of(
            rounds.waits().openStreaks(),
            rounds.waits().closedStreaks(),
            rounds.waits().streaksAmongWaits())
        .flatMap(List::stream)
        .filter(streak -> streak.episodes() >= 12 && streak.shareOfWaits() >= 0.6)
        .filter(Streak::delaysOthers)
        .sorted(Comparator.comparingDouble(Streak::share))
        .forEach(streak -> told.put(streak.rank(), streak.share()));
    return told;
  }

  private static double play(Job job, long seed, Rounds rounds) {
    var random = new SplittableRandom(seed);
    var host = new double[RANKS];
    var gpu = new double[RANKS];
    var done = new double[2 * STEPS];
    double most = 0;
    for (int step = 0; step < STEPS; step++) {
      var work = new double[RANKS];
      for (int rank = 0; rank < RANKS; rank++) {
        double own = rank == LAST ? job.host().applyAsDouble(step) : 0.02;
        host[rank] += own * (0.9 + 0.2 * random.nextDouble());
        work[rank] = job.gpu().applyAsDouble(step) * (0.98 + 0.04 * random.nextDouble());
      }
      for (int call = 2 * step; call < 2 * step + 2; call++) {
        double last = 0;
        for (int rank = 0; rank < RANKS; rank++) {
          host[rank] = Math.max(host[rank], call < QUEUED ? 0 : done[call - QUEUED]) + 0.0002;
          add(
              rounds,
              rank,
              call,
              host[rank],
              rank == LAST ? job.ahead().applyAsDouble(step) : 0,
              job);
          gpu[rank] = Math.max(gpu[rank], host[rank]) + work[rank] / 2;
          last = Math.max(last, gpu[rank]);
        }
        done[call] = last + 0.005;
        for (int rank = 0; rank < RANKS; rank++) {
          gpu[rank] = done[call];
        }
      }
      for (int rank = 0; rank < RANKS; rank++) {
        boolean reads = job.reads() && rank == LAST && step >= FROM && step < UNTIL;
        if (reads || step % SYNC == SYNC - 1) {
          host[rank] = Math.max(host[rank], gpu[rank]);
        }
      }
      rounds.idle();
      most = told(rounds).values().stream().reduce(most, Math::max);
    }
    return most;
  }

  private static void add(Rounds rounds, int rank, int call, double second, double ahead, Job job) {
    boolean own = !Double.isNaN(job.ahead().applyAsDouble(0));
    Calls.add(rounds, rank, call, second + (own ? ahead : 0), own ? "log " + rank : "host");
  }
}
