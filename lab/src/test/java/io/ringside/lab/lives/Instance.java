package io.ringside.lab.lives;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.TelemetryEvent;
import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.judge.suspect.NodeMemory;
import io.ringside.streams.state.Takeover;
import io.ringside.streams.topology.RingsideTopology;
import io.ringside.streams.topology.ServicePace;
import io.ringside.streams.topology.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;

/// An instance of the service, and the broker as it sees it.
public final class Instance {
  private final TopologyTestDriver driver;
  private final Map<Topic<?>, TestInputTopic<String, ?>> inputs = new HashMap<>();
  private final TestOutputTopic<String, Finding> findings;
  private final TestOutputTopic<String, RunSummary> runs;

  Instance(Path stateDir, Instant now) {
    this(stateDir, now, ServicePace.FLEET);
  }

  public Instance(Path stateDir, Instant now, ServicePace pace) {
    var settings = new Properties();
    settings.putAll(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG,
            "lives",
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
            "unused:1",
            StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG,
            true,
            StreamsConfig.STATE_DIR_CONFIG,
            stateDir.toString()));
    driver =
        new TopologyTestDriver(
            RingsideTopology.build(
                new StreamsConfig(settings), new Judge(Expectations.builtIn()), pace),
            settings,
            now);
    for (var topic : List.of(Topics.LOGS, Topics.GPU, Topics.TOPOLOGY, Topics.NODE)) {
      inputs.put(topic, input(topic));
    }
    findings =
        driver.createOutputTopic(
            Topics.FINDINGS.name(),
            Topics.FINDINGS.keySerde().deserializer(),
            Topics.FINDINGS.valueSerde().deserializer());
    runs =
        driver.createOutputTopic(
            Topics.RUNS.name(),
            Topics.RUNS.keySerde().deserializer(),
            Topics.RUNS.valueSerde().deserializer());
  }

  private <T extends TelemetryEvent> TestInputTopic<String, T> input(Topic<T> topic) {
    return driver.createInputTopic(
        topic.name(), topic.keySerde().serializer(), topic.valueSerde().serializer());
  }

  /// What the agent of a node sent.
  public <T extends TelemetryEvent> void pipe(Topic<T> topic, String node, T event, Instant now) {
    @SuppressWarnings("unchecked") // each was made of its topic
    var input = (TestInputTopic<String, T>) Objects.requireNonNull(inputs.get(topic));
    input.pipeInput(node, event, now);
  }

  public void pass(Duration time) {
    driver.advanceWallClockTime(time);
  }

  /// What was published since it was last asked for; null takes back.
  public List<KeyValue<String, Finding>> findings() {
    return findings.readKeyValuesToList();
  }

  public List<KeyValue<String, RunSummary>> runs() {
    return runs.readKeyValuesToList();
  }

  /// What it remembers of the nodes that findings blame.
  List<NodeMemory> nodes() {
    var nodes = new ArrayList<NodeMemory>();
    KeyValueStore<String, NodeMemory> store = driver.getKeyValueStore(Stores.NODE_MEMORY);
    try (var all = store.all()) {
      all.forEachRemaining(entry -> nodes.add(entry.value));
    }
    return nodes;
  }

  /// Stops, and leaves to another one what it has committed.
  public void leaveTo(Instance next) {
    Takeover.of(driver, next.driver);
    stop();
  }

  public void stop() {
    driver.close();
  }
}
