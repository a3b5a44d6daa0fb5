package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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

  @Test
  void areRightBeforeARankIsLate() {
    add(40, 1.2, Set.of());
    add(40, 1.6, Set.of());
    assertThat(usual.meanBefore(3).seconds())
        .as("became longer meanwhile")
        .isEqualTo(1.6, within(1e-9));
    usual.acquitted(3);
    add(3, 2.0, Set.of());
    assertThat(usual.meanBefore(3).turns()).isEqualTo(3);
    assertThat(usual.meanBefore(4).turns()).isEqualTo(64);
  }

  private void add(int turns, double seconds, Set<Integer> late) {
    for (int turn = 0; turn < turns; turn++) {
      usual.add(seconds, late);
    }
  }
}
