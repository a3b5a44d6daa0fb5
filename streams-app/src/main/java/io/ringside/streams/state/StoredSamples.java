package io.ringside.streams.state;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.node.RecentSamples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/// Samples in a store, one record each, in a ring of one slot per second for each node. A new
/// sample replaces the one that is older by the length of the ring.
public record StoredSamples(KeyValueStore<String, GpuSample> slots, Duration ring)
    implements RecentSamples {

  public static StoreBuilder<KeyValueStore<String, GpuSample>> builder(String name) {
    return Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(name), Serdes.String(), new DeflatedSample())
        .withLoggingEnabled(Map.of())
        .withCachingDisabled();
  }

  @Override
  public void add(GpuSample sample) {
    long second = Math.floorDiv(Nanos.of(sample.at()), 1_000_000_000L);
    slots.put(sample.node() + "\n" + Math.floorMod(second, ring.toSeconds()), sample);
  }

  /// Deletes all samples of the node.
  public void forget(String node) {
    var own = new ArrayList<String>();
    try (var ofNode = slots.prefixScan(node + "\n", new StringSerializer())) {
      ofNode.forEachRemaining(entry -> own.add(entry.key));
    }
    own.forEach(slots::delete);
  }

  @Override
  public List<GpuSample> of(String node) {
    var found = new ArrayList<GpuSample>();
    try (var ofNode = slots.prefixScan(node + "\n", new StringSerializer())) {
      ofNode.forEachRemaining(entry -> found.add(entry.value));
    }
    found.sort(Comparator.comparing(GpuSample::at));
    return found;
  }

  /// Compresses samples. A sample repeats its field names for each GPU, so it shrinks to a fifth.
  private static final class DeflatedSample implements Serde<GpuSample> {
    private static final Serde<GpuSample> JSON = Topics.GPU.valueSerde();

    @Override
    @SuppressWarnings("NullAway") // Kafka's own contract: null in, null out
    public Serializer<GpuSample> serializer() {
      return (topic, sample) ->
          sample == null ? null : Deflated.deflate(JSON.serializer().serialize(topic, sample));
    }

    @Override
    @SuppressWarnings("NullAway") // Kafka's own contract: null in, null out
    public Deserializer<GpuSample> deserializer() {
      return (topic, bytes) ->
          bytes == null ? null : JSON.deserializer().deserialize(topic, Deflated.inflate(bytes));
    }
  }
}
