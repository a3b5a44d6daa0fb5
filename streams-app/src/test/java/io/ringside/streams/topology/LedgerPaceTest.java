package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.publish.Samples;
import org.junit.jupiter.api.Test;

class LedgerPaceTest {
  private static final RunSummary RUN = Samples.run("job", "0x1", 1, RunSummary.State.RUNNING);
  private static final RunSummary LATER =
      RUN.with(
          its -> {
            its.since = RUN.since();
            its.until = Samples.T0.plusSeconds(2_000);
          });

  private final LedgerPace pace = new LedgerPace();

  @Test
  void publishesALineThatOnlyGrowsEveryFewSeconds() {
    assertThat(pace.due("id", null, RUN, 0)).isTrue();
    assertThat(pace.due("id", RUN, LATER, 1_000)).isFalse();
    assertThat(pace.due("id", RUN, LATER, 4_999)).isFalse();
    assertThat(pace.due("id", RUN, LATER, 5_000)).isTrue();
    assertThat(pace.due("id", RUN, LATER, 6_000)).isFalse();
  }

  @Test
  void publishesWhatMattersAtOnce() {
    var ended = Samples.run("job", "0x1", 1, RunSummary.State.ENDED);

    assertThat(pace.due("id", null, RUN, 0)).isTrue();
    assertThat(pace.due("id", RUN, ended, 1)).isTrue();
  }

  @Test
  void aRunWhoseNumberAloneChangedWaitsAsWell() {
    assertThat(pace.due("id", null, RUN, 1_000)).isTrue();

    var renumbered = Samples.run("job", RUN.run(), RUN.attempt() + 1, RUN.state());
    assertThat(pace.due("id", RUN, renumbered, 1_250)).isFalse();
    assertThat(pace.due("id", RUN, renumbered, 1_000 + LedgerPace.MILLIS)).isTrue();
  }

  @Test
  void knowsNothingAfterARestart() {
    assertThat(pace.due("id", RUN, LATER, 1)).isTrue();
  }
}
