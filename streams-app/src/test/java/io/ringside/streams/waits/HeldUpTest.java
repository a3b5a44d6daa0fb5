package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A program that makes all calls of a step ahead of its GPUs and then waits for them, as one does
/// that reads its loss. Its GPUs work for 77 ms a step, its hosts need 20 or 60 ms for the calls.
class HeldUpTest {
  private static final int RANKS = 4;
  private static final int LATE = 1;
  private static final int STEPS = 220;
  private static final int FROM = 60;
  private static final double GPU = 0.077;

  /// @param calls of a step
  /// @param apart seconds between two of them
  private record Program(int calls, double apart) {}

  private static final Program LAYERS = new Program(20, 0.003);
  private static final Program FEW = new Program(2, 0.02);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void tellsARankThatIsLateToAllCallsOfAStepOnceAStep(long seed) {
    for (var program : List.of(LAYERS, FEW)) {
      var streak = streak(played(program, from(FROM, 0.03), true, seed));

      assertThat(streak.rank()).isEqualTo(LATE);
      assertThat(streak.lateSeconds()).isBetween(0.02, 0.034);
      assertThat(streak.blamedSeconds())
          .isBetween(0.7 * (STEPS - FROM) * 0.03, 1.1 * (STEPS - FROM) * 0.03);
    }
  }

  /// Its GPUs wait for nobody: each has a step to work off while the next one's calls come.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void accusesNobodyWhoHasTimeToSpare(long seed) {
    for (var program : List.of(LAYERS, FEW)) {
      assertThat(streaks(played(program, from(FROM, 0.03), false, seed))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void accusesNobodyForHostsThatDifferByChance(long seed) {
    var random = new SplittableRandom(seed);
    for (var program : List.of(LAYERS, FEW)) {
      var jitter = played(program, _ -> 0.03 * random.nextDouble(), true, seed, random.nextInt(4));
      assertThat(streaks(jitter).mapToDouble(Streak::share)).allMatch(share -> share < 0.25);
    }
  }

  private static IntToDoubleFunction from(int first, double seconds) {
    return step -> step < first ? 0 : seconds;
  }

  private static Rounds played(
      Program program, IntToDoubleFunction late, boolean waits, long seed) {
    return played(program, late, waits, seed, LATE);
  }

  /// @param late seconds by which the rank begins its calls of a step after the others
  /// @param waits whether hosts wait for the GPUs' last step, or for the one before
  private static Rounds played(
      Program program, IntToDoubleFunction late, boolean waits, long seed, int rank) {
    var rounds = new Rounds(RANKS);
    var random = new SplittableRandom(seed);
    double done = 0;
    double before = 0;
    for (int step = 0; step < STEPS; step++) {
      double begin = waits ? done : before;
      double gpus = done;
      for (int call = 0; call < program.calls(); call++) {
        double complete = 0;
        for (int each = 0; each < RANKS; each++) {
          double at =
              begin
                  + (each == rank ? late.applyAsDouble(step) : 0)
                  + call * program.apart()
                  + 0.001 * random.nextDouble();
          Calls.add(rounds, each, step * program.calls() + call, at, "host", call);
          complete = Math.max(complete, at);
        }
        gpus = Math.max(gpus, complete) + GPU / program.calls();
      }
      before = done;
      done = gpus;
      rounds.idle();
    }
    return rounds;
  }

  private static Streak streak(Rounds rounds) {
    return streaks(rounds)
        .reduce((one, other) -> one.blamedSeconds() > other.blamedSeconds() ? one : other)
        .orElseThrow();
  }

  private static Stream<Streak> streaks(Rounds rounds) {
    return Stream.concat(
            rounds.waits().openStreaks().stream(), rounds.waits().closedStreaks().stream())
        .filter(Streak::delaysOthers);
  }
}
