package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/// The mean of turns of a program that calls three steps at once after each tenth.
class PaceTest {
  private static final int TURNS = 60;

  @Test
  void ofBurstsIsHowLongTurnsTakeOnAverage() {
    var pace = Pace.mean(bursts());
    assertThat(pace.seconds()).isEqualTo(1, within(1e-9));
    assertThat(pace.error()).isBetween(0.04, 0.08);
  }

  @Test
  void leavesOutAPause() {
    var turns = bursts();
    turns[25] = 30;
    assertThat(Pace.mean(turns).seconds()).isEqualTo(1, within(0.01));
  }

  @Test
  void ofOneTurnOrNoneIsNotKnown() {
    assertThat(Pace.mean(new double[0])).isEqualTo(Pace.UNKNOWN);
    assertThat(Pace.mean(new double[] {0, 0, 0}).seconds()).isZero();
  }

  private static double[] bursts() {
    var turns = new double[TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
      turns[turn] = turn % 10 == 0 ? 4 : turn % 10 < 4 ? 0 : 1;
    }
    return turns;
  }
}
