package io.ringside.streams.topology;

import io.ringside.schemas.event.TelemetryEvent;
import io.ringside.schemas.topic.Topic;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;

/// The topics of a topology that is driven without a broker.
final class TestTopics {
  private TestTopics() {}

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
