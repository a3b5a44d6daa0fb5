package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PausesTest {
  @Test
  void takesAnEvaluationAmongLateStepsForAPause() {
    var pauses = new Pauses();
    double all = 0;
    for (int step = 0; step < 20; step++) {
      double late = step == 7 ? 21 : 0.05;
      pauses.add(late);
      all += late;
    }

    assertThat(pauses.seconds(all, 20)).isEqualTo(21);
  }

  @Test
  void takesNoWaitOfARankThatIsLateByAsMuchEachTime() {
    var pauses = new Pauses();
    double all = 0;
    for (int step = 0; step < 20; step++) {
      double late = 8 + step % 6;
      pauses.add(late);
      all += late;
    }

    assertThat(pauses.seconds(all, 20)).isZero();
  }

  @Test
  void knowsNothingOfFewWaits() {
    var pauses = new Pauses();
    pauses.add(60);
    pauses.add(0.1);

    assertThat(pauses.seconds(60.1, 2)).isZero();
  }

  @Test
  void keepsTheLongestOfBoth() {
    var pauses = new Pauses();
    pauses.add(30);
    var later = new Pauses();
    later.add(40);
    later.add(0.02);
    pauses.addAll(later);

    assertThat(pauses.seconds(70.02 + 20 * 0.02, 23)).isCloseTo(70, within(1e-9));
  }
}
