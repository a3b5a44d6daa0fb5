package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.TimeBasis;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hosts of two ranks, steps of 0.5 s with one call. What a clock that is set shows is never
/// counted, whatever goes on beside it.
class ClockJumpsTest {
  private static final double MILLI = 1e6;
  private static final int STEPS = 240;
  private static final int STEP_MILLIS = 500;
  private static final int SET = 120;
  private static final Evidence LINE = new Evidence(null, "node", "pod", "file", 0, "");

  /// By how many milliseconds a rank is late in a step, and its clock ahead.
  private interface Job {
    double late(int rank, int step);

    double ahead(int rank, int step);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void isNotCountedAsWaiting(int hosts) {
    var job = job(-1, 0, 0, hosts - 1, 4_300);

    var told = played(hosts, job, 1).waits().series().buckets().values();

    assertThat(told)
        .allSatisfy(bucket -> assertThat(bucket.waitedMicros()).isLessThan(hosts * 800_000L));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void leavesTheLateHostAccusedThoughAnotherOnesClockGoesAhead(long seed) {
    // ranks 0 and 1 are late by 200 ms; by the clocks it is ranks 2 and 3 from the step on in which
    // theirs is set
    var rounds = new Rounds(4);
    new Steps(2, job(0, 60, 200, 1, 430), seed).play(rounds, rounds::idle);

    assertThat(streaks(rounds))
        .isNotEmpty()
        .allSatisfy(streak -> assertThat(streak.rank()).isLessThan(2))
        .anySatisfy(streak -> assertThat(streak.episodes()).isGreaterThan(160));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void doesNotHideAHostThatBeginsToBeLate(int hosts) {
    for (long seed = 1; seed < 5; seed++) {
      var rounds = played(hosts, job(hosts - 1, SET, 60, -1, 0), seed);

      assertThat(streaks(rounds))
          .anySatisfy(
              streak -> {
                assertThat(streak.rank()).isGreaterThanOrEqualTo(2 * hosts - 2);
                assertThat(streak.episodes()).isGreaterThan(110);
              })
          .allSatisfy(streak -> assertThat(streak.rank()).isGreaterThanOrEqualTo(2 * hosts - 2));
    }
  }

  /// Before it is accused its lateness would have become what the clocks are taken to differ by.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void keepsTheFirstEstimateOfTwoClocksOnceAHostIsLate(long seed) {
    assertThat(streaks(played(2, job(1, 34, 200, -1, 0), seed)))
        .anySatisfy(streak -> assertThat(streak.episodes()).isGreaterThan(190))
        .allSatisfy(streak -> assertThat(streak.rank()).isGreaterThanOrEqualTo(2));
  }

  /// Steps of four calls that all make together; how long a step takes differs far more than what
  /// the clock is set by.
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void showsWhereAllCallsAreLateByTheSameThoughPaceTellsNothing(int hosts) {
    assertThat(streaks(uneven(hosts, _ -> 0, 26))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void doesNotHideAHostWhoseLatenessDiffersAsWorkDoes(int hosts) {
    assertThat(streaks(uneven(hosts, random -> 60 + 60 * random.nextDouble(), 0)))
        .isNotEmpty()
        .allSatisfy(streak -> assertThat(streak.rank()).isGreaterThanOrEqualTo(2 * hosts - 2));
  }

  /// @param late milliseconds by which the last host comes to each first call of a step, from one
  ///   step on
  /// @param ahead milliseconds by which its clock is set there
  private static Rounds uneven(int hosts, ToDoubleFunction<SplittableRandom> late, double ahead) {
    var random = new SplittableRandom(3);
    var rounds = new Rounds(2 * hosts);
    double begun = 0;
    for (int step = 0; step < STEPS; step++) {
      begun += STEP_MILLIS + 250 * random.nextDouble();
      double lateness = step < SET ? 0 : late.applyAsDouble(random);
      for (int rank = 0; rank < 2 * hosts; rank++) {
        boolean last = rank / 2 == hosts - 1;
        var nanos = new long[4];
        for (int call = 0; call < nanos.length; call++) {
          double at = begun + 5 * call + 0.3 * random.nextDouble();
          at += call > 0 || last ? lateness : 0;
          at += last && step >= SET ? ahead : 0;
          nanos[call] = 1_790_000_000_000_000_000L + Math.round(at * MILLI);
        }
        rounds.add(
            new Arrivals(
                7,
                "0xc",
                rank,
                TimeBasis.CONTAINER,
                4L * step,
                nanos,
                new int[] {1, 2, 3, 4},
                List.of(),
                0,
                0,
                null),
            Clock.of("host " + rank / 2),
            _ -> LINE);
      }
      begun += lateness;
    }
    rounds.idle();
    return rounds;
  }

  /// A backup goes from host to host: one host comes to be late as another one no longer is, and
  /// steps take as long as before.
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 8})
  void noClockIsSetWhereHostsAreLateByTurns(int hosts) {
    var byTurns =
        new Job() {
          @Override
          public double late(int rank, int step) {
            return step / 24 % hosts == rank / 2 ? 220 : 0;
          }

          @Override
          public double ahead(int rank, int step) {
            return 0;
          }
        };

    for (long seed = 1; seed < 5; seed++) {
      assertThat(played(hosts, byTurns, seed).waits().wrongStamps().setRank()).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8})
  void tellsTheHostWhoseClockIsSet(int hosts) {
    var rounds = played(hosts, job(-1, 0, 0, hosts - 1, -220), 1);

    assertThat(rounds.waits().wrongStamps().setNanos()).isBetween(-225_000_000L, -215_000_000L);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void holdsFewRoundsBack(int hosts) {
    for (var job : List.of(job(0, 60, 200, 1, 430), job(0, SET, 90, -1, 0))) {
      var rounds = new Rounds(2 * hosts);
      new Steps(hosts, job, 1)
          .play(rounds, () -> assertThat(rounds.waits().held()).isLessThanOrEqualTo(22));
    }
  }

  /// @param late host that is late from a step on, -1 if none
  /// @param set host whose clock is set, -1 if none
  private static Job job(int late, int since, double lateMillis, int set, double aheadMillis) {
    return new Job() {
      @Override
      public double late(int rank, int step) {
        return rank / 2 == late && step >= since ? lateMillis : 0;
      }

      @Override
      public double ahead(int rank, int step) {
        return rank / 2 == set && step >= SET ? aheadMillis : 0;
      }
    };
  }

  private static Rounds played(int hosts, Job job, long seed) {
    var rounds = new Rounds(2 * hosts);
    new Steps(hosts, job, seed).play(rounds, () -> {});
    return rounds;
  }

  private static List<Streak> streaks(Rounds rounds) {
    return Stream.concat(
            rounds.waits().openStreaks().stream(), rounds.waits().closedStreaks().stream())
        .filter(Streak::delaysOthers)
        .toList();
  }

  private record Steps(int hosts, Job job, long seed) {
    void play(Rounds rounds, Runnable afterEach) {
      var random = new SplittableRandom(seed);
      double begun = 0;
      for (int step = 0; step < STEPS; step++) {
        double longest = 0;
        for (int rank = 0; rank < 2 * hosts; rank++) {
          double own = -2 * Math.log(1 - random.nextDouble()) + job.late(rank, step);
          longest = Math.max(longest, own);
          double at = begun + own + job.ahead(rank, step);
          rounds.add(
              new Arrivals(
                  7,
                  "0xc",
                  rank,
                  TimeBasis.CONTAINER,
                  step,
                  new long[] {1_790_000_000_000_000_000L + Math.round(at * MILLI)},
                  new int[] {1},
                  List.of(),
                  0,
                  0,
                  null),
              Clock.of("host " + rank / 2),
              _ -> LINE);
        }
        begun += STEP_MILLIS + longest;
        afterEach.run();
      }
      rounds.idle();
    }
  }
}
