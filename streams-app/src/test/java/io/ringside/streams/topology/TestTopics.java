package io.ringside.streams.topology;

import io.ringside.schemas.event.TelemetryEvent;
import io.ringside.schemas.topic.Topic;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.Judge;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;

/// The topology without a broker, and its topics.
final class TestTopics {
  private TestTopics() {}

  /// All of it as it runs in a fleet, with the built-in expectations, from this time on.
  static TopologyTestDriver driver(Path stateDir, Instant from) {
    return driver(stateDir, from, ServicePace.FLEET);
  }

  static TopologyTestDriver driver(Path stateDir, Instant from, ServicePace pace) {
    var settings = new Properties();
    settings.putAll(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG,
            "test",
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
            "unused:1",
            StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG,
            true,
            StreamsConfig.STATE_DIR_CONFIG,
            stateDir.toString()));
    var topology =
        RingsideTopology.build(
            new StreamsConfig(settings), new Judge(Expectations.builtIn()), pace);
    return new TopologyTestDriver(topology, settings, from);
  }

  static <T extends TelemetryEvent> TestInputTopic<String, T> input(
      TopologyTestDriver driver, Topic<T> topic) {
    return driver.createInputTopic(
        topic.name(), topic.keySerde().serializer(), topic.valueSerde().serializer());
  }

  static <T extends TelemetryEvent> TestOutputTopic<String, T> output(
      TopologyTestDriver driver, Topic<T> topic) {
    return driver.createOutputTopic(
        topic.name(), topic.keySerde().deserializer(), topic.valueSerde().deserializer());
  }
}
