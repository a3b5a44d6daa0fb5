package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NetworkInterface;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.node.Heartbeat;
import io.ringside.streams.recorded.Lines;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sensors that stall and telemetry that does not come, through the whole topology with a clock of
/// the test's.
class TelemetryTest {
  private static final Duration REPORTS = Duration.ofSeconds(10);

  @TempDir private Path stateDir;
  private TopologyTestDriver driver;
  private TestInputTopic<String, LogChunk> logs;
  private TestInputTopic<String, GpuSample> gpus;
  private TestInputTopic<String, NodeReport> reports;
  private Instant now = Lines.AT;
  private Duration skew = Duration.ZERO;

  @BeforeEach
  void start() {
    driver = TestTopics.driver(stateDir, Lines.AT);
    logs = input(Topics.LOGS);
    gpus = input(Topics.GPU);
    reports = input(Topics.NODE);
    // ranks 0 and 1 on node-0, rank 8 on node-1
    for (int rank : new int[] {0, 1, 8}) {
      send(Lines.of(rank, false, Lines.start(rank, 9).toArray(String[]::new)));
    }
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  @Test
  void tellsAStalledSensorOnceForAllRanksOfTheNodeAndClearsIt() {
    report("node-0", GpuSensor.State.OK, 1.0);
    report("node-1", GpuSensor.State.OK, 1.0);
    pass(REPORTS);
    assertThat(found(FindingKind.SENSOR_STALLED)).isEmpty();

    report("node-0", GpuSensor.State.STALLED, 11.0);
    pass(REPORTS);
    assertThat(found(FindingKind.SENSOR_STALLED).orElseThrow())
        .satisfies(
            finding -> {
              assertThat(finding.nodes()).containsExactly("node-0");
              assertThat(finding.ranks()).containsExactly(0, 1);
              assertThat(finding.state()).isEqualTo(Finding.State.ACTIVE);
              assertThat(finding.summary()).contains("gave nothing for 11 polls", "2 GPUs");
              assertThat(finding.evidence().getFirst().text()).contains("nvidia-smi is stalled");
            });

    report("node-0", GpuSensor.State.OK, 0.4);
    pass(Duration.ofSeconds(40));
    assertThat(found(FindingKind.SENSOR_STALLED).orElseThrow().state())
        .isEqualTo(Finding.State.CLEARED);
  }

  @Test
  void takesOneLatePollForNothing() {
    report("node-0", GpuSensor.State.OK, 2.5);
    pass(REPORTS);
    report("node-0", GpuSensor.State.OK, 0.5);
    pass(REPORTS);

    assertThat(found(FindingKind.SENSOR_STALLED)).isEmpty();
  }

  @Test
  void seesThePauseBetweenSamplesOfAnAgentThatDoesNotReport() {
    for (int second = 0; second < 20; second++) {
      sample(now.plusSeconds(second));
    }
    for (int second = 45; second < 60; second++) {
      sample(now.plusSeconds(second));
    }
    pass(Duration.ofSeconds(60));
    line(0, "step 1");
    pass(REPORTS);

    assertThat(found(FindingKind.SENSOR_STALLED).orElseThrow())
        .satisfies(
            finding -> {
              assertThat(finding.nodes()).containsExactly("node-0");
              assertThat(finding.state()).isEqualTo(Finding.State.CLEARED);
              assertThat(finding.summary()).contains("for 26 s");
            });
  }

  @Test
  void countsLinesThatNeverCame() {
    report("node-0", GpuSensor.State.OK, 0.5);
    next.merge(0, 500L, Long::sum);
    line(0, "step 2");
    pass(REPORTS);

    assertThat(found(FindingKind.TELEMETRY_GAP).orElseThrow())
        .satisfies(
            finding -> {
              assertThat(finding.nodes()).containsExactly("node-0");
              assertThat(finding.summary()).contains("500 bytes of its logs never came, in 1 gaps");
              assertThat(finding.evidence().getFirst().file()).isEqualTo("0.log");
            });

    pass(Duration.ofMinutes(6));
    report("node-0", GpuSensor.State.OK, 0.5);
    line(0, "step 3");
    pass(Duration.ofSeconds(40));
    assertThat(found(FindingKind.TELEMETRY_GAP).orElseThrow().state())
        .isEqualTo(Finding.State.CLEARED);
  }

  @Test
  void tellsSilenceFromAbsence() {
    for (int i = 0; i < 12; i++) {
      report("node-0", GpuSensor.State.OK, 0.5);
      report("node-1", GpuSensor.State.OK, 0.5);
      line(0, "step " + i); // node-1 is silent, and reports
      pass(REPORTS);
    }
    assertThat(found(FindingKind.TELEMETRY_GAP)).isEmpty();

    for (int i = 12; i < 20; i++) {
      report("node-0", GpuSensor.State.OK, 0.5);
      line(0, "step " + i); // node-1 is gone
      pass(REPORTS);
    }
    assertThat(found(FindingKind.TELEMETRY_GAP).orElseThrow())
        .satisfies(
            finding -> {
              assertThat(finding.nodes()).containsExactly("node-1");
              assertThat(finding.ranks()).containsExactly(8);
              assertThat(finding.summary()).contains("has not been heard for");
            });
  }

  @Test
  void takesNoClockThatIsBehindForAbsence() {
    skew = Duration.ofMinutes(-10);
    for (int i = 0; i < 12; i++) {
      report("node-1", GpuSensor.State.OK, 0.5);
      line(0, "step " + i);
      pass(REPORTS);
    }

    assertThat(found(FindingKind.TELEMETRY_GAP)).isEmpty();
  }

  @Test
  void remembersWhatEachAgentSaidLastAndForgetsItWithItsNode() {
    report("node-0", GpuSensor.State.OK, 0.5);
    report("node-1", GpuSensor.State.OK, 0.5);
    pass(REPORTS);
    skew = Duration.ofMinutes(-10);
    report("node-1", GpuSensor.State.STALLED, 9.0);

    assertThat(agents().keySet()).containsExactlyInAnyOrder("east|node-0", "east|node-1");
    assertThat(agents())
        .hasEntrySatisfying(
            "east|node-1",
            last -> {
              assertThat(last.sensor().state()).isEqualTo(GpuSensor.State.STALLED);
              assertThat(last.heardAt()).as("by the service's clock").isEqualTo(now);
            });

    driver.advanceWallClockTime(Duration.ofHours(25));
    assertThat(agents()).isEmpty();
  }

  @Test
  void addsUpWhatTheNetworkCarried() {
    for (int i = 0; i < 4; i++) {
      report("node-0", GpuSensor.State.OK, 0.5);
      pass(REPORTS);
    }

    RunSummary run = driver.<String, RunSummary>getKeyValueStore(Stores.RUNS).all().next().value;
    assertThat(run.traffic())
        .isEqualTo(new RunSummary.Traffic(1, 30, 30 * 2_000_000L, 30 * 200_000_000L));
  }

  private final HashMap<Integer, Long> next = new HashMap<>();
  private final HashMap<Integer, Long> sequences = new HashMap<>();

  private void send(LogChunk chunk) {
    int rank = Integer.parseInt(chunk.source().file().replace(".log", ""));
    next.put(rank, chunk.nextOffset());
    logs.pipeInput(chunk.source().node(), chunk);
  }

  /// A line that the rank writes now.
  private void line(int rank, String text) {
    long sequence = sequences.merge(rank, 1L, Long::sum);
    send(Lines.later(rank, sequence, next.getOrDefault(rank, 0L), now, text));
  }

  private void report(String node, GpuSensor.State state, @Nullable Double age) {
    reports.pipeInput(
        node,
        new NodeReport(
            "east",
            node,
            now.plus(skew),
            REPORTS.toSeconds(),
            new NodeReport.Agent("0.2", Lines.AT, List.of("logs", "gpu"), List.of()),
            new GpuSensor(state, age, 1, 0, 0, ""),
            new NodeReport.Logs(1, 0, 0, 0, 0),
            List.of(
                new NetworkInterface("efa0", 1, NetworkInterface.Kind.EFA, 0, 0, 1e6, 1e6),
                new NetworkInterface("eth0", 0, NetworkInterface.Kind.ETHERNET, 0, 0, 1e8, 1e8))));
  }

  private void sample(Instant at) {
    gpus.pipeInput(
        "node-0",
        new GpuSample(
            "east",
            "node-0",
            at,
            List.of(
                new GpuReading(
                    0,
                    "0000:01:00.0",
                    "",
                    "H100",
                    99.0,
                    1.0,
                    2.0,
                    3.0,
                    4.0,
                    5.0,
                    6.0,
                    7.0,
                    0L,
                    0L,
                    null,
                    null))));
  }

  private void pass(Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      driver.advanceWallClockTime(Duration.ofSeconds(1));
    }
    now = now.plus(time);
  }

  private Optional<Finding> found(FindingKind kind) {
    try (var all = driver.<String, Finding>getKeyValueStore(Stores.FINDINGS).all()) {
      while (all.hasNext()) {
        var finding = all.next().value;
        if (finding.kind() == kind) {
          return Optional.of(finding);
        }
      }
      return Optional.empty();
    }
  }

  private Map<String, Heartbeat> agents() {
    var agents = new HashMap<String, Heartbeat>();
    try (var all = driver.<String, Heartbeat>getKeyValueStore(Stores.AGENTS).all()) {
      all.forEachRemaining(entry -> agents.put(entry.key, entry.value));
    }
    return agents;
  }

  private <T extends AgentEvent> TestInputTopic<String, T> input(Topic<T> topic) {
    return TestTopics.input(driver, topic);
  }
}
