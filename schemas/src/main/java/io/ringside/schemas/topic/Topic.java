package io.ringside.schemas.topic;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/// One topic: its name, the type of its records, and how long they are kept. Keys are strings.
///
/// @param retention how long records are kept; for a compacted topic how long tombstones are
/// @param partitionBytes most bytes kept of a partition, whatever their age, so that no flood of
///     records fills the brokers' disks; 0 for a compacted topic
public record Topic<T>(
    String name, Serde<T> valueSerde, boolean compacted, Duration retention, long partitionBytes) {

  /// The largest batch of records that every topic takes, in bytes: the agent's largest request of
  /// 4 MiB, and what Kafka adds to it. Brokers take 1 MiB by default.
  public static final int MAX_MESSAGE_BYTES = (4 << 20) + (64 << 10);

  /// Size of a segment in bytes. A broker deletes whole segments and keeps one more than
  /// configured; its default segment has 1 GiB.
  private static final int SEGMENT_BYTES = 256 << 20;

  /// The serde of every topic's key.
  public Serde<String> keySerde() {
    return Serdes.String();
  }

  /// The topic to create. Compression is left to the producer.
  public NewTopic toNewTopic(int partitions, short replicas) {
    return new NewTopic(name, partitions, replicas).configs(settings());
  }

  /// The topic's settings, by Kafka's names.
  public Map<String, String> settings() {
    Map<String, String> config = new HashMap<>();
    config.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_MESSAGE_BYTES));
    config.put(TopicConfig.COMPRESSION_TYPE_CONFIG, "producer");
    config.put(
        TopicConfig.CLEANUP_POLICY_CONFIG,
        compacted ? TopicConfig.CLEANUP_POLICY_COMPACT : TopicConfig.CLEANUP_POLICY_DELETE);
    config.put(
        compacted ? TopicConfig.DELETE_RETENTION_MS_CONFIG : TopicConfig.RETENTION_MS_CONFIG,
        Long.toString(retention.toMillis()));
    if (!compacted) {
      config.put(TopicConfig.RETENTION_BYTES_CONFIG, Long.toString(partitionBytes));
      config.put(TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(SEGMENT_BYTES));
    }
    return config;
  }
}
