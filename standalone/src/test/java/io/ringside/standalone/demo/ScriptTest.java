package io.ringside.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScriptTest {
  @Test
  void playsTheLinesOfAllPodsInTheOrderOfTime() throws Exception {
    var script = Script.of(Incident.ALL.get(1));

    assertThat(script.lines()).hasSize(7545);
    assertThat(script.lines()).isSortedAccordingTo((a, b) -> Long.compare(a.nanos(), b.nanos()));
    assertThat(script.lines().stream().map(PlayedLine::folder).distinct()).hasSize(2);
    assertThat(script.lines().getFirst().nanos()).isZero();
    assertThat(script.lines().getFirst().text()).startsWith("stdout F llama-c-node-0-");
    assertThat(script.length()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
  }

  @Test
  void spreadsLinesWithoutStamps() throws Exception {
    var script = Script.of(Incident.ALL.getFirst());

    assertThat(script.lines().get(7).nanos()).isEqualTo(Duration.ofMillis(140).toNanos());
    assertThat(script.lines().get(7).text()).startsWith("stdout F llama-3-8b-node-0-0:152:386 [0]");
  }

  @Test
  void shortensPausesButNoDistanceThatIsPartOfAStep() throws Exception {
    var script = Script.of(Incident.ALL.get(1));

    for (int i = 1; i < script.lines().size(); i++) {
      long distance = script.lines().get(i).nanos() - script.lines().get(i - 1).nanos();
      assertThat(distance).isBetween(0L, Duration.ofMillis(500).toNanos());
    }
  }
}
