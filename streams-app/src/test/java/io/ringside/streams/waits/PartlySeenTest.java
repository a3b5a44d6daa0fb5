package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Four hosts of four ranks with a clock each. For seventy steps one host is slow: its calls come
/// 22 ms after the others', and steps take 66 ms longer, since much of its work follows upon its
/// calls. When that ends its calls come earlier by the same in all rounds, as if its clock had been
/// set back, and nobody is late any more.
class PartlySeenTest {
  private static final int RANKS = 16;
  private static final int STEPS = 170;
  private static final int FROM = 45;
  private static final int UNTIL = 115;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void isTheWholeHostAndNoLongerThanItIsSlow(long seed) {
    var random = new SplittableRandom(seed);
    var rounds = new Rounds(RANKS);
    double begun = 0;
    for (int step = 0; step < STEPS; step++) {
      boolean slow = step >= FROM && step < UNTIL;
      double late = slow ? 12 + 20 * random.nextDouble() : 0;
      for (int call = 0; call < 2; call++) {
        for (int rank = 0; rank < RANKS; rank++) {
          double own = (rank / 4 == 2 ? late : 0) + 2 * random.nextDouble();
          Calls.add(rounds, rank, 2 * step + call, (begun + own + call) / 1e3, "host " + rank / 4);
        }
      }
      begun += 346 + 3 * late;
      rounds.idle();
    }
    rounds.idle();
    assertThat(rounds.waits().openStreaks()).isEmpty();
    assertThat(rounds.waits().closedStreaks())
        .filteredOn(Streak::delaysOthers)
        .hasSize(4)
        .allSatisfy(
            streak -> {
              assertThat(streak.rank() / 4).isEqualTo(2);
              assertThat(streak.episodes()).isBetween(60L, 72L);
            });
  }
}
