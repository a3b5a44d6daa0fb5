package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class UsualTurnsTest {
  private final UsualTurns usual = new UsualTurns();

  @Test
  void areTheLastOnesOfAProgramThatSlowedDown() {
    add(244, 1.2, Set.of());
    add(76, 2.6, Set.of());
    assertThat(usual.before(3).seconds()).isEqualTo(2.6);
  }

  @Test
  void tellNothingOfARankThatWasLateInMostOfThem() {
    add(40, 1.2, Set.of(3));
    add(10, 1.2, Set.of());
    assertThat(usual.before(3)).isEqualTo(Pace.UNKNOWN);
    assertThat(usual.before(4).turns()).isEqualTo(50);
  }

  private void add(int turns, double seconds, Set<Integer> late) {
    for (int turn = 0; turn < turns; turn++) {
      usual.add(seconds, late);
    }
  }
}
