package io.ringside.streams.join.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.join.fact.Arrivals;
import io.ringside.streams.join.fact.TimeBasis;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs that call three collectives together once a step of half a second.
class RoundsTest {
  private static final long MILLI = 1_000_000;
  private static final long BEGIN = 1_790_000_000_000L * MILLI;
  private static final int STEP_MILLIS = 500;

  /// How much later than the others a rank comes to a step, in milliseconds.
  private interface Lateness {
    double millis(int step, int rank);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8, 64})
  void blamesNobodyWhereChanceDecidesWhoIsLast(int ranks) {
    var random = new SplittableRandom(ranks);
    var rounds = job(ranks, 2_000, (_, _) -> 200 * random.nextDouble(), _ -> "one log");

    assertThat(rounds.closedStreaks()).isEmpty();
    assertThat(rounds.openStreaks()).isEmpty();
    assertThat(rounds.lostSeconds()).isPositive();
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

    assertThat(rounds.openStreaks()).singleElement().extracting(Streak::rank).isEqualTo(1);
    var streak = rounds.openStreaks().getFirst();
    // a few late steps of mere chance just before are part of it
    assertThat(streak.sinceNanos()).isBetween(at(80), at(103));
    assertThat(streak.convincedNanos()).isLessThan(at(135));
    assertThat(streak.episodes()).isGreaterThan(80);
  }

  @Test
  void blamesTheOneOfTwoRanksThatIsAlwaysLateIfOneLogHasBoth() {
    var rounds = job(2, 120, (_, rank) -> rank == 0 ? 60 : 0, _ -> "one log");

    assertThat(rounds.openStreaks()).extracting(Streak::rank).containsExactly(0);
  }

  @Test
  void takesARankThatIsAlwaysLateInALogOfItsOwnForAWrongClock() {
    var rounds = job(4, 400, (_, rank) -> rank == 3 ? 60 : 0, rank -> "log " + rank);

    assertThat(rounds.openStreaks()).isEmpty();
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
    rounds.end();

    assertThat(rounds.cutOff()).isTrue();
    assertThat(rounds.completed()).isEqualTo(3 * 40);
    assertThat(rounds.openStreaks()).isEmpty();
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

    assertThat(rounds.openStreaks()).extracting(Streak::rank).containsExactly(2, 5);
  }

  @Test
  void blamesNobodyForCheckpointsThatOneRankWrites() {
    var rounds =
        job(4, 1_000, (step, rank) -> rank == 0 && step % 40 == 0 ? 2_000 : 0, _ -> "one log");

    assertThat(rounds.openStreaks()).isEmpty();
    assertThat(rounds.closedStreaks()).isEmpty();
  }

  @Test
  void followsAClockThatDrifts() {
    var random = new SplittableRandom(3);
    // ten millionths: 20 ms in 2,000 s, more than any rank is late here
    var rounds =
        job(
            4,
            4_000,
            (step, rank) -> 5 * random.nextDouble() + (rank == 2 ? step * STEP_MILLIS * 1e-5 : 0),
            rank -> "log " + rank);

    assertThat(rounds.openStreaks()).isEmpty();
    assertThat(rounds.closedStreaks()).isEmpty();
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

  private static long at(int step) {
    return BEGIN + (long) step * STEP_MILLIS * MILLI;
  }

  private static Rounds job(int ranks, int steps, Lateness lateness, IntFunction<String> log) {
    var rounds = new Rounds(ranks);
    for (int from = 0; from < steps; from += 20) {
      for (int rank = 0; rank < ranks; rank++) {
        add(rounds, rank, from, Math.min(steps, from + 20), log.apply(rank), lateness);
      }
    }
    rounds.end();
    return rounds;
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
    var signatures = IntStream.range(0, nanos.length).map(i -> 1 + i % 3).toArray();
    rounds.add(
        new Arrivals(
            7, "0xc", rank, 0, TimeBasis.CONTAINER, 3L * from, nanos, signatures, List.of()),
        log,
        _ -> new Evidence(null, "node", "pod", "file", 0, ""));
  }
}
