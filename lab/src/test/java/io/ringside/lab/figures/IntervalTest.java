package io.ringside.lab.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class IntervalTest {

  /// Nothing in n tries: the rule of three, a little more.
  @Test
  void leavesRoomForWhatWasNotSeen() {
    assertThat(Interval.ofCount(0).from()).isZero();
    assertThat(Interval.ofCount(0).to()).isCloseTo(3.69, within(0.05));
  }

  /// Exact limits of Poisson's distribution for ten events: 4.80 and 18.39.
  @Test
  void isCloseToTheExactLimitsOfACount() {
    assertThat(Interval.ofCount(10).from()).isCloseTo(4.80, within(0.1));
    assertThat(Interval.ofCount(10).to()).isCloseTo(18.39, within(0.1));
  }

  /// Wilson's interval of 9 in 10: 0.596 to 0.982.
  @Test
  void isWilsonsForAShare() {
    var interval = Interval.ofShare(9, 10);
    assertThat(interval.from()).isCloseTo(0.596, within(0.002));
    assertThat(interval.to()).isCloseTo(0.982, within(0.002));
    assertThat(interval.words(2)).isEqualTo("0.60 to 0.98");
  }
}
