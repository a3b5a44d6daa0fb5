package io.ringside.streams.detect.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SamplePausesTest {
  private static final long AT = 1_790_000_000;

  private final TreeSet<Long> seconds = new TreeSet<>();
  private long now = AT;

  @Test
  void aSensorThatGivesNothingNowAndThenPauses() {
    every(1, 60).every(14, 1).every(1, 60).every(11, 1).every(1, 5);

    assertThat(SamplePauses.within(seconds, 10))
        .extracting(SamplePauses.Pause::seconds)
        .containsExactly(14L, 11L);
  }

  @Test
  void samplesAtAnotherIntervalFromThenOnAreNoPauses() {
    every(1, 150).every(10, 26).every(11, 2).every(1, 60);

    assertThat(SamplePauses.within(seconds, 10)).isEmpty();
  }

  @Test
  void aFewPausesOfOneLengthAreNoInterval() {
    every(1, 60).every(10, 5).every(1, 60);

    assertThat(SamplePauses.within(seconds, 10)).hasSize(5);
  }

  private SamplePausesTest every(long interval, int times) {
    seconds.add(now);
    for (int i = 0; i < times; i++) {
      now += interval;
      seconds.add(now);
    }
    return this;
  }
}
