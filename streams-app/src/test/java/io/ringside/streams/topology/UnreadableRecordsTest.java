package io.ringside.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.topic.Topics;
import io.ringside.streams.DeadLetterHandlers;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.Judge;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnreadableRecordsTest {
  @TempDir private Path stateDir;

  @ParameterizedTest
  @ValueSource(
      strings = {"ringside.logs.v1", "ringside.gpu.v1", "ringside.topology.v1", "ringside.node.v1"})
  void areADeadLetterEachWithTheirBytesAndTheirPlace(String topic) {
    var settings = settings();
    var topology =
        RingsideTopology.build(
            new StreamsConfig(settings), new Judge(Expectations.builtIn()), ServicePace.FLEET);
    try (var driver = new TopologyTestDriver(topology, settings)) {
      var records =
          driver.createInputTopic(topic, new StringSerializer(), new ByteArraySerializer());
      var letters =
          driver.createOutputTopic(
              Topics.DEAD_LETTER.name(), new StringDeserializer(), new ByteArrayDeserializer());

      records.pipeInput("node-a", "{".getBytes(UTF_8));
      records.pipeInput("node-b", "".getBytes(UTF_8));

      var written = letters.readRecordsToList();
      assertThat(written)
          .extracting(letter -> letter.key() + " " + new String(letter.value(), UTF_8))
          .containsExactly("node-a {", "node-b ");
      assertThat(written.getLast().headers())
          .filteredOn(header -> header.key().matches(".*[.](topic|partition|offset)"))
          .extracting(header -> new String(header.value(), UTF_8))
          .containsExactlyInAnyOrder(topic, "0", "1");
      assertThat(droppedRecords(driver)).isEqualTo(2);
    }
  }

  private Properties settings() {
    var settings = new Properties();
    settings.putAll(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG,
            "test",
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
            "unused:1",
            StreamsConfig.STATE_DIR_CONFIG,
            stateDir.toString(),
            StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
            DeadLetterHandlers.Unprocessed.class,
            StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG,
            Topics.DEAD_LETTER.name()));
    return settings;
  }

  private static double droppedRecords(TopologyTestDriver driver) {
    return driver.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals("dropped-records-total"))
        .mapToDouble(metric -> (double) metric.getValue().metricValue())
        .sum();
  }
}
