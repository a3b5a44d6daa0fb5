package io.ringside.streams.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary.State;
import io.ringside.streams.publish.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestingRunsTest {
  private static final long NOW = 1_000_000;

  private final RestingRuns resting = new RestingRuns();
  private final List<String> runs = List.of("0xa", "0xb", "0xc", "0xd", "0xe", "0xf");

  @Test
  void oldRunsThatAreOverRestForAMinute() {
    judged(0, State.FAILED);
    judged(1, State.SUPERSEDED);

    assertThat(resting.of(runs, NOW)).containsExactlyInAnyOrder("0xa", "0xb");
    assertThat(resting.of(runs, NOW + 59_999)).containsExactlyInAnyOrder("0xa", "0xb");
    assertThat(resting.of(runs, NOW + 60_000)).isEmpty();
  }

  @Test
  void runsThatMayGoOnDoNotRest() {
    judged(0, State.RUNNING);
    judged(1, State.SILENT);
    judged(2, State.LOST);

    assertThat(resting.of(runs, NOW)).isEmpty();
  }

  @Test
  void aRunThatGoesOnRestsNoMore() {
    judged(0, State.ENDED);
    judged(0, State.RUNNING);

    assertThat(resting.of(runs, NOW)).isEmpty();
  }

  @Test
  void theNewestNeverRest() {
    for (int i = 0; i < runs.size(); i++) {
      judged(i, State.ENDED);
    }

    assertThat(resting.of(runs, NOW)).containsExactlyInAnyOrder("0xa", "0xb", "0xc");
    assertThat(resting.of(runs.subList(0, 2), NOW)).isEmpty();
  }

  @Test
  void nothingRestsThroughAClockThatIsSetBack() {
    judged(0, State.ENDED);

    assertThat(resting.of(runs, NOW - 1)).isEmpty();
  }

  private void judged(int run, State state) {
    resting.judged(List.of(Samples.run("llama", runs.get(run), run + 1, state)), NOW);
  }
}
