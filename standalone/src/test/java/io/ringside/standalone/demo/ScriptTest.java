package io.ringside.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptTest {
  @Test
  void playsTheLinesOfAllPodsInTheOrderOfTime() throws Exception {
    var script = Script.of(Incident.ALL.get(1));

    assertThat(lines(script)).hasSize(7545);
    assertThat(script.scenes()).isSortedAccordingTo(Comparator.comparingLong(PlayedRecord::nanos));
    assertThat(lines(script).stream().map(PlayedRecord.Line::folder).distinct()).hasSize(2);
    assertThat(script.scenes().getFirst().nanos()).isZero();
    assertThat(lines(script).getFirst().text()).startsWith("stdout F llama-c-node-0-");
    assertThat(script.length()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
  }

  @Test
  void spreadsLinesWithoutStamps() throws Exception {
    var script = Script.of(Incident.ALL.getFirst());

    assertThat(lines(script)).hasSameSizeAs(script.scenes());
    assertThat(lines(script).get(7).nanos()).isEqualTo(Duration.ofMillis(140).toNanos());
    assertThat(lines(script).get(7).text()).startsWith("stdout F llama-3-8b-node-0-0:152:386 [0]");
  }

  @Test
  void shortensPausesButNoDistanceThatIsPartOfAStep() throws Exception {
    var script = Script.of(Incident.ALL.get(1));

    for (int i = 1; i < script.scenes().size(); i++) {
      long distance = script.scenes().get(i).nanos() - script.scenes().get(i - 1).nanos();
      assertThat(distance).isBetween(0L, Duration.ofMillis(500).toNanos());
    }
  }

  @Test
  void playsTheGpuSamplesThatWereTakenWhileTheJobRan() throws Exception {
    var samples =
        Script.of(Incident.ALL.get(1)).scenes().stream()
            .filter(PlayedRecord.Gpus.class::isInstance)
            .map(PlayedRecord.Gpus.class::cast)
            .toList();

    assertThat(samples).hasSizeBetween(20, 40);
    assertThat(samples).allSatisfy(it -> assertThat(it.sample().gpus()).hasSize(8));
    assertThat(samples.getFirst().nanos()).isLessThan(Duration.ofSeconds(1).toNanos());
  }

  private static List<PlayedRecord.Line> lines(Script script) {
    return script.scenes().stream()
        .filter(PlayedRecord.Line.class::isInstance)
        .map(PlayedRecord.Line.class::cast)
        .toList();
  }
}
