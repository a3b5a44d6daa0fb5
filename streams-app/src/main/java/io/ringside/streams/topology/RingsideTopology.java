package io.ringside.streams.topology;

import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.KeyValueStore;

/// The stream's shape. For now it only makes the two result topics readable.
public final class RingsideTopology {
  private RingsideTopology() {}

  /// Builds the topology.
  ///
  /// @param settings decide about stores and names before anything runs
  public static Topology build(StreamsConfig settings) {
    var builder = new StreamsBuilder(new TopologyConfig(settings));
    table(builder, Topics.RUNS, Stores.RUNS);
    table(builder, Topics.FINDINGS, Stores.FINDINGS);
    return builder.build();
  }

  private static <T> void table(StreamsBuilder builder, Topic<T> topic, String store) {
    builder.table(
        topic.name(),
        Consumed.with(topic.keySerde(), topic.valueSerde()).withName("read-" + store),
        Materialized.<String, T, KeyValueStore<Bytes, byte[]>>as(store)
            .withKeySerde(topic.keySerde())
            .withValueSerde(topic.valueSerde()));
  }
}
