package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.fact.TimeBasis;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two hosts of four ranks, a call a step of 0.5 s. Rank 0 logs: it is late in three steps of four
/// from the start, which is no evidence against it later. From one step on the first host is late
/// by more, or its clock is ahead.
class WholeClockTest {
  private static final double MILLI = 1e6;
  private static final int RANKS = 8;
  private static final int STEPS = 300;
  private static final int ONSET = 120;
  private static final double MILLIS = 120;
  private static final Evidence LINE = new Evidence(null, "node", "pod", "file", 0, "");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void thatIsSetAccusesNobodyThoughOneOfItsRanksIsAlwaysLate(long seed) {
    assertThat(accused(seed, rank -> rank < 4, false)).doesNotContain(1, 2, 3, 4, 5, 6, 7);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void doesNotHideAHostThatIsLateAsAWhole(long seed) {
    assertThat(accused(seed, rank -> rank < 4, true)).contains(1, 2, 3);
  }

  @Test
  void doesNotHideOneOfItsRanks() {
    assertThat(accused(1, rank -> rank == 2, true)).contains(2).doesNotContain(1, 3, 4, 5, 6, 7);
  }

  /// Nothing of how long turns took at first tells who is late now.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void thatIsSetInAProgramThatSlowedDownAccusesNobody(long seed) {
    assertThat(accused(seed, rank -> rank < 4, false, 1, 80)).doesNotContain(1, 2, 3, 4, 5, 6, 7);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void doesNotHideALateHostInAProgramThatSlowedDown(long seed) {
    assertThat(accused(seed, rank -> rank < 4, true, 1, 80)).contains(1, 2, 3);
  }

  /// A step makes the same three calls twice: two turns, of which the first alone can be late, and
  /// it is the longer one anyway.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void thatIsSetAccusesNobodyWhereAStepIsTwoTurns(long seed) {
    assertThat(accused(seed, rank -> rank < 4, false, 6, STEPS))
        .doesNotContain(1, 2, 3, 4, 5, 6, 7);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void doesNotHideALateHostWhereAStepIsTwoTurns(long seed) {
    assertThat(accused(seed, rank -> rank < 4, true, 6, STEPS)).contains(1, 2, 3);
  }

  /// One rank after the other has far more to do from the onset on, as with experts: steps become
  /// longer, by chance at the same time.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void thatIsSetAsTheLoadBeginsToMoveAccusesNobody(long seed) {
    assertThat(accused(seed, rank -> rank < 4, false, 3, STEPS, 3 * MILLIS)).isEmpty();
  }

  private static Set<Integer> accused(long seed, IntPredicate late, boolean real) {
    return accused(seed, late, real, 1, STEPS);
  }

  /// Who stands accused at any time after the onset.
  ///
  /// @param calls of a step, in which every third is alike
  /// @param slower from which step on steps take twice as long
  private static Set<Integer> accused(
      long seed, IntPredicate late, boolean real, int calls, int slower) {
    return accused(seed, late, real, calls, slower, 0);
  }

  /// @param moving how many milliseconds at most one rank works longer than the others, another one
  ///   in each step
  private static Set<Integer> accused(
      long seed, IntPredicate late, boolean real, int calls, int slower, double moving) {
    var random = new SplittableRandom(seed);
    var rounds = new Rounds(RANKS);
    var accused = new TreeSet<Integer>();
    double begun = 0;
    for (int step = 0; step < STEPS; step++) {
      double last = 0;
      var at = new double[RANKS];
      int loaded = step < ONSET || moving == 0 ? -1 : random.nextInt(RANKS);
      double load = moving == 0 ? 0 : moving * (0.5 + random.nextDouble() / 2);
      for (int rank = 0; rank < RANKS; rank++) {
        double own = -2 * Math.log(1 - random.nextDouble());
        own += rank == 0 && step % 4 != 0 ? 30 : 0;
        boolean on = step >= ONSET && late.test(rank);
        own += on && real ? MILLIS : 0;
        own += rank == loaded ? load : 0;
        last = Math.max(last, own);
        at[rank] = begun + own + (on && !real ? MILLIS : 0);
      }
      for (int rank = 0; rank < RANKS; rank++) {
        for (int call = 0; call < calls; call++) {
          // who waited calls on when the last one came
          double ahead = step >= ONSET && late.test(rank) && !real ? MILLIS : 0;
          double when =
              call == 0 ? at[rank] : begun + last + 0.1 * call + 0.05 * random.nextDouble() + ahead;
          rounds.add(
              new Arrivals(
                  7,
                  "0xc",
                  rank,
                  TimeBasis.CONTAINER,
                  calls * step + call,
                  new long[] {1_790_000_000_000_000_000L + Math.round(when * MILLI)},
                  new int[] {1 + call % 3},
                  List.of(),
                  0,
                  0,
                  null),
              Clock.of("host " + rank / 4),
              _ -> LINE);
        }
      }
      begun += (step < slower ? 500 : 1000) + last;
      rounds.idle();
      rounds.waits().openStreaks().stream()
          .filter(streak -> streak.convincedNanos() > 1_790_000_000_000_000_000L + ONSET * 500e6)
          .filter(Streak::delaysOthers)
          .map(Streak::rank)
          .forEach(accused::add);
    }
    return accused;
  }
}
