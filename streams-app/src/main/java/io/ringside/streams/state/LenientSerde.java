package io.ringside.streams.state;

import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/// A serde that reads an unreadable value as null. The value may be damaged, or written by a
/// version with other enum names or types. Code that iterates over a store finds null in its place
/// and may delete it.
///
/// @param <T> what is written
public record LenientSerde<T>(Serde<T> inner) implements Serde<T> {
  @Override
  public Serializer<T> serializer() {
    return inner.serializer();
  }

  @Override
  @SuppressWarnings("NullAway") // Kafka's own contract: null for no value
  public Deserializer<T> deserializer() {
    var reading = inner.deserializer();
    return (topic, bytes) -> {
      try {
        return bytes == null ? null : reading.deserialize(topic, bytes);
      } catch (SerializationException e) {
        return null;
      }
    };
  }
}
