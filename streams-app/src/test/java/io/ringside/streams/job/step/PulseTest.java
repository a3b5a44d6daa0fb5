package io.ringside.streams.job.step;

import static io.ringside.schemas.event.LogChunk.NO_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import org.junit.jupiter.api.Test;

class PulseTest {
  private final Pulse pulse = new Pulse();

  @Test
  void tellsItsRhythmItsLongestPauseAndItsEnd() {
    for (long at : new long[] {0, 10, 20, 90, 100}) {
      pulse.beat(at, line(at));
    }

    assertThat(pulse.usualNanos(5)).isEqualTo(25);
    assertThat(pulse.usualNanos(6)).isZero();
    assertThat(pulse.longestNanos()).isEqualTo(70);
    assertThat(pulse.lastNanos()).isEqualTo(100);
    assertThat(pulse.last()).contains(line(100));
  }

  @Test
  void goesOnFromAnEarlierPart() {
    var later = new Pulse();
    later.beat(50, line(50));
    later.absorb(pulse);
    assertThat(later.lastNanos()).isEqualTo(50);
    pulse.beat(10, line(10));
    later.absorb(pulse);

    assertThat(later.lastNanos()).isEqualTo(50);
    assertThat(later.last()).contains(line(50));
    assertThat(later.usualNanos(2)).isEqualTo(40);
    assertThat(new Pulse().lastNanos()).isEqualTo(NO_TIME);
  }

  private static Evidence line(long at) {
    return new Evidence(null, "n", "p", "f", at, "{'loss': 2.5}");
  }
}
