package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PersistenceTest {
  private static final int RANKS = 8;

  @Test
  void isHighWhereWhoeverIsLateStaysSoForNineTurns() {
    assertThat(after(9, -1).again(4, RANKS)).isBetween(0.6, 0.9);
  }

  @Test
  void isLowWhereTheLateOneIsDrawnEachTurn() {
    assertThat(after(1, -1).again(4, RANKS)).isLessThan(0.25);
  }

  /// The only one that stays late is another straggler.
  @Test
  void isLowWhereOneOtherRankAloneIsLateAgainAndAgain() {
    assertThat(after(1, 6).again(4, RANKS)).isLessThan(0.25);
  }

  @Test
  void isNothingForARankThatWasInTime() {
    assertThat(after(9, -1).again(3, RANKS)).isZero();
  }

  @Test
  void isNothingAmongTwo() {
    var persistence = new Persistence();
    for (int turn = 0; turn < 100; turn++) {
      persistence.turn(Set.of(turn / 10 % 2));
    }
    assertThat(persistence.again(1, 2)).isZero();
  }

  /// @param hold for so many turns one is late, then another one is drawn
  /// @param always late beside it, -1 for nobody
  private static Persistence after(int hold, int always) {
    var random = new Random(7);
    var persistence = new Persistence();
    int late = 0;
    for (int turn = 0; turn < 900; turn++) {
      late = turn % hold == 0 ? random.nextInt(RANKS) : late;
      persistence.turn(always < 0 || always == late ? Set.of(late) : Set.of(late, always));
    }
    persistence.turn(Set.of(4));
    return persistence;
  }
}
