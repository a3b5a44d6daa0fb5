package io.ringside.schemas.serde;

import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

/// Serializes one record type as JSON. Null stays null: on a compacted topic it is a tombstone.
///
/// @param <T> the record's type
public final class EventSerde<T> implements Serde<T> {
  private final Class<T> type;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  public EventSerde(Class<T> type) {
    this.type = type;
    this.reader = EventJson.MAPPER.readerFor(type);
    this.writer = EventJson.MAPPER.writerFor(type);
  }

  @Override
  @SuppressWarnings("NullAway") // Kafka's contract: null in, null out
  public Serializer<T> serializer() {
    return (topic, value) -> value == null ? null : writer.writeValueAsBytes(value);
  }

  @Override
  @SuppressWarnings("NullAway") // Kafka's contract: null in, null out
  public Deserializer<T> deserializer() {
    return (topic, bytes) -> bytes == null ? null : decode(topic, bytes);
  }

  private T decode(@Nullable String topic, byte[] bytes) {
    try {
      return reader.readValue(bytes);
    } catch (JacksonException e) {
      throw new UndecodableEvent(
          "%d bytes on %s are no %s: %s"
              .formatted(bytes.length, topic, type.getSimpleName(), e.getOriginalMessage()),
          e);
    }
  }
}
