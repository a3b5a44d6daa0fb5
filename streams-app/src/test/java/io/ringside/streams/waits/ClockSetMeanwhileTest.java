package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.TimeBasis;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A clock is set while something else makes turns longer: its rank was truly late by a little
/// before, or ranks pause now and then. What is felt of that is no proof of what only the clock
/// shows.
class ClockSetMeanwhileTest {
  private static final double MILLI = 1e6;
  private static final int RANKS = 4;
  private static final int STEPS = 220;
  private static final int STEP_MILLIS = 500;
  private static final int SET = 160;
  private static final Evidence LINE = new Evidence(null, "node", "pod", "file", 0, "");

  /// By how many milliseconds the last rank is late, and its clock ahead.
  private record Last(double late, double ahead) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void addsNothingToWhatALittleLateRankCosts(long seed) {
    assertThat(largestShare(step -> new Last(step < 60 ? 0 : 40, step < SET ? 0 : 700), 0, seed))
        .isBetween(0.05, 0.1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void isNoDelayThoughOthersBeginToPause(long seed) {
    assertThat(largestShare(step -> new Last(0, step < 60 ? 0 : 1_200), 2_500, seed))
        .isLessThan(0.025);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void isNotWhatARankThatBecomesLaterStillLooksLike(long seed) {
    assertThat(largestShare(step -> new Last(step < 60 ? 0 : step < SET ? 40 : 700, 0), 0, seed))
        .isGreaterThan(0.25);
  }

  /// The largest share of the time that anybody is told to have cost the others, at any moment.
  ///
  /// @param pauseMillis for how long one of the other ranks pauses in each seventh step, from the
  ///   sixtieth on
  private static double largestShare(IntFunction<Last> job, double pauseMillis, long seed) {
    var random = new SplittableRandom(seed);
    var rounds = new Rounds(RANKS);
    double largest = 0;
    double begun = 0;
    for (int step = 0; step < STEPS; step++) {
      var last = job.apply(step);
      double longest = 0;
      for (int rank = 0; rank < RANKS; rank++) {
        boolean theLast = rank == RANKS - 1;
        double own = -2 * Math.log(1 - random.nextDouble());
        own += step >= 60 && step % 7 == 0 && rank == step / 7 % 3 ? pauseMillis : 0;
        own += theLast ? last.late() : 0;
        longest = Math.max(longest, own);
        double at = begun + own + (theLast ? last.ahead() : 0);
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
            Clock.of("log " + rank),
            _ -> LINE);
      }
      begun += STEP_MILLIS + longest;
      rounds.idle();
      largest =
          Stream.of(
                  rounds.waits().openStreaks(),
                  rounds.waits().closedStreaks(),
                  rounds.waits().streaksAmongWaits())
              .flatMap(List::stream)
              .filter(streak -> streak.episodes() >= 6 && streak.shareOfWaits() >= 0.6)
              .filter(Streak::delaysOthers)
              .mapToDouble(Streak::share)
              .reduce(largest, Math::max);
    }
    return largest;
  }
}
