package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class BurstsTest {
  private static final long STEP = 500_000_000L;
  private static final List<Integer> RANKS = List.of(0, 1, 2, 3);

  @Test
  void areThoseOfTheRankWhoseLinesAreHeldBack() {
    assertThat(bursts(120, call -> (call / 20 + 1) * 20 * STEP + call % 20 * 20_000))
        .containsExactly(2);
    assertThat(bursts(120, call -> (call / 2 + 1) * 2 * STEP + call % 2 * 20_000))
        .as("two steps a block")
        .containsExactly(2);
  }

  @Test
  void areNoneOfARankThatComesLateOrPauses() {
    assertThat(bursts(120, call -> call * STEP + 300_000_000)).isEmpty();
    assertThat(bursts(120, call -> call * STEP + (call % 7 == 0 ? 400_000_000 : 0))).isEmpty();
    assertThat(bursts(40, call -> (call / 20 + 1) * 20 * STEP)).as("too few to tell").isEmpty();
  }

  /// A step of many calls that follow at once on all ranks.
  @Test
  void areNoneWhereAllCallAtOnce() {
    var bursts = new Bursts();
    for (long call = 0; call < 2_000; call++) {
      long at = call / 20 * STEP + call % 20 * 30_000;
      bursts.take(new long[] {at, at + 40_000, at + 10_000, at + 90_000});
    }

    assertThat(bursts.of(RANKS)).isEmpty();
  }

  /// Most run ahead of the one that looks at its loss.
  @Test
  void areNoneWhereMostRunAhead() {
    var bursts = new Bursts();
    for (long call = 0; call < 200; call++) {
      long ahead = call / 10 * 10 * STEP + call % 10 * 30_000;
      bursts.take(new long[] {call * STEP, ahead, ahead, ahead});
    }

    assertThat(bursts.of(RANKS)).isEmpty();
  }

  private static Set<Integer> bursts(int calls, LongUnaryOperator ofRank2) {
    var bursts = new Bursts();
    for (long call = 0; call < calls; call++) {
      bursts.take(
          new long[] {
            call * STEP, call * STEP + 1_000_000, ofRank2.applyAsLong(call), call * STEP + 300_000
          });
    }
    return bursts.of(RANKS);
  }
}
