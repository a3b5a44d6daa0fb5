package io.ringside.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.config.TopicsConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

class TopicCheckTest {
  private static final TopicsConfig LAYOUT = new TopicsConfig(true, 4, 1);

  private final Map<String, TopicDescription> topics = new TreeMap<>();
  private final Map<String, Config> configs = new TreeMap<>();

  TopicCheckTest() {
    for (var topic : Topics.ALL) {
      describe(topic, 4, Map.of());
    }
  }

  @Test
  void findsNothingWrongWithWhatItWouldCreate() {
    assertThat(TopicCheck.faults(topics, configs, LAYOUT)).isEmpty();
  }

  @Test
  void namesEveryDifference() {
    topics.remove(Topics.RUNS.name());
    describe(Topics.LOGS, 3, Map.of("retention.ms", "1000", "max.message.bytes", "1048588"));
    describe(Topics.FINDINGS, 4, Map.of("cleanup.policy", "delete", "compression.type", "gzip"));

    assertThat(TopicCheck.faults(topics, configs, LAYOUT))
        .containsExactly(
            "ringside.logs.v1: has 3 partitions, topics.partitions is 4",
            "ringside.logs.v1: max.message.bytes is 1048588, should be 4259840",
            "ringside.logs.v1: retention.ms is 1000, should be 86400000",
            "ringside.findings.v1: cleanup.policy is delete, should be compact",
            "ringside.findings.v1: compression.type is gzip, should be producer",
            "ringside.runs.v1: is missing");
  }

  @Test
  void takesLargerMessagesForGood() {
    describe(Topics.LOGS, 4, Map.of("max.message.bytes", "10000000"));

    assertThat(TopicCheck.faults(topics, configs, LAYOUT)).isEmpty();
  }

  private void describe(Topic<?> topic, int partitions, Map<String, String> overrides) {
    var node = new Node(1, "a", 1);
    topics.put(
        topic.name(),
        new TopicDescription(
            topic.name(),
            false,
            IntStream.range(0, partitions)
                .mapToObj(i -> new TopicPartitionInfo(i, node, List.of(node), List.of(node)))
                .toList()));
    var settings = new HashMap<>(topic.settings());
    settings.putAll(overrides);
    configs.put(
        topic.name(),
        new Config(
            settings.entrySet().stream()
                .map(entry -> new ConfigEntry(entry.getKey(), entry.getValue()))
                .toList()));
  }
}
