package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.data.Percentage.withPercentage;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.TimeBasis;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Eight ranks, of which the sixth is late by 60 ms from the sixtieth step of half a second on, and
/// somebody's stamps that say what cannot be.
class WrongStampsTest {
  private static final long SECOND = 1_000_000_000;
  private static final long BEGIN = 1_790_000_000L * SECOND;
  private static final long STEP = SECOND / 2;
  private static final long DELAY = 60 * SECOND / 1000;
  private static final int RANKS = 8;
  private static final int LATE = 5;
  private static final int ODD = 2;
  private static final int STEPS = 300;
  private static final int CALLS = 3;
  private static final Evidence LINE = new Evidence(null, "node", "pod", "file", 0, "");

  /// By how many nanoseconds the stamp of an odd rank's call is wrong.
  private interface Wrong {
    long nanos(int step, int call);
  }

  /// @param mostHeld rounds that waited to be judged at a time
  private record Seen(Rounds rounds, int mostHeld) {}

  @ParameterizedTest
  @CsvSource({
    "0, 300",
    "0, 2333448000",
    "0, -1600000000",
    "100, 2",
    "100, 300",
    "100, 2333448000",
    "100, -300",
    "100, -1600000000",
    "299, 2333448000",
    "299, -1600000000",
  })
  void oneStampChangesNothing(int at, long seconds) {
    var right = run(rank -> "node " + rank, (_, _) -> 0);
    var wrong =
        run(
            rank -> "node " + rank,
            (step, call) -> step == at && call == (at == 0 ? 0 : 1) ? seconds * SECOND : 0);

    var expected = right.rounds();
    var rounds = wrong.rounds();
    assertThat(expected.waits().wrongStamps().calls()).isZero();
    var stamps = rounds.waits().wrongStamps();
    assertThat(stamps.calls()).isOne();
    assertThat(stamps.rank()).isEqualTo(ODD);
    assertThat(stamps.nanos()).isCloseTo(seconds * SECOND, withinPercentage(10));
    assertThat(wrong.mostHeld()).isLessThanOrEqualTo(right.mostHeld());
    assertThat(rounds.waits().openStreaks()).extracting(Streak::rank).containsExactly(LATE);
    assertThat(rounds.waits().closedStreaks()).isEmpty();
    assertThat(rounds.waits().quiet(rounds.waits().openStreaks().getFirst())).isFalse();
    assertThat(rounds.waits().lostSeconds())
        .isCloseTo(expected.waits().lostSeconds(), withPercentage(5));
    assertThat(rounds.waits().waitSeconds(0))
        .isCloseTo(expected.waits().waitSeconds(0), withPercentage(5));
    assertThat(rounds.waits().blamedSeconds(ODD)).isLessThan(0.5);
    assertThat(rounds.waits().longestPauseNanos())
        .isCloseTo(expected.waits().longestPauseNanos(), withPercentage(20));
    assertThat(rounds.waits().firstNanos()).isBetween(BEGIN, BEGIN + STEP);
    assertThat(rounds.waits().lastNanos()).isBetween(BEGIN, BEGIN + 2 * STEPS * STEP);
    assertThat(rounds.waits().series().width()).isEqualTo(expected.waits().series().width());
  }

  @Test
  void aClockThatIsAheadForAWhileHidesNobody() {
    var wrong =
        run(rank -> "node " + rank, (step, _) -> step >= 80 && step < 100 ? 300 * SECOND : 0);

    assertThat(wrong.mostHeld()).isLessThan(50);
    assertThat(wrong.rounds().waits().openStreaks()).extracting(Streak::rank).contains(LATE);
  }

  @Test
  void whateverStampsSayFewRoundsAreHeld() {
    var random = new SplittableRandom(1);
    var seen = run(_ -> "one log", (_, _) -> random.nextLong(-(1L << 60), 1L << 60));

    assertThat(seen.mostHeld()).isLessThan(50);
    assertThat(seen.rounds().completed()).isEqualTo((long) STEPS * CALLS);
  }

  private static Seen run(IntFunction<String> log, Wrong wrong) {
    var rounds = new Rounds(RANKS);
    int mostHeld = 0;
    var random = new SplittableRandom(7);
    for (int from = 0; from < STEPS; from += 4) {
      for (int rank = 0; rank < RANKS; rank++) {
        var nanos = new long[4 * CALLS];
        for (int i = 0; i < nanos.length; i++) {
          int step = from + i / CALLS;
          int call = i % CALLS;
          nanos[i] = at(step, call) + (call == 0 ? random.nextLong(SECOND / 100) : 0);
          if (rank == LATE && step >= 60 && call == 0) {
            nanos[i] += DELAY;
          }
          if (rank == ODD) {
            nanos[i] += wrong.nanos(step, call);
          }
        }
        var signatures = IntStream.range(0, nanos.length).map(i -> 1 + i % CALLS).toArray();
        rounds.add(
            new Arrivals(
                7,
                "0xc",
                rank,
                TimeBasis.CONTAINER,
                (long) from * CALLS,
                nanos,
                signatures,
                List.of(),
                0,
                0,
                null),
            Clock.of(log.apply(rank)),
            _ -> LINE);
      }
      mostHeld = Math.max(mostHeld, rounds.waits().held());
    }
    return new Seen(rounds.ended(), mostHeld);
  }

  /// Others' stamps: all feel who is late.
  private static long at(int step, int call) {
    long slower = step < 60 ? 0 : DELAY;
    long before = Math.max(0, step - 60) * DELAY;
    return BEGIN
        + step * STEP
        + before
        + (call == 0 ? 0 : slower + SECOND / 50 + call * SECOND / 10_000);
  }
}
