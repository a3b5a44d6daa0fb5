package io.ringside.schemas.serde;

import io.ringside.schemas.event.LogChunk;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/// Serializes log chunks as JSON, fast enough for all lines of a fleet. JSON in another form is
/// read like every other record, with the same result and the same errors.
public final class ChunkSerde implements Serde<LogChunk> {
  private final EventSerde<LogChunk> general = new EventSerde<>(LogChunk.class);
  private final ChunkJsonReader reader = new ChunkJsonReader();
  private final ChunkJson writer = new ChunkJson();

  @Override
  @SuppressWarnings("NullAway") // Kafka's contract: null in, null out
  public Serializer<LogChunk> serializer() {
    return (_, chunk) -> chunk == null ? null : writer.write(chunk);
  }

  @Override
  @SuppressWarnings("NullAway") // Kafka's contract: null in, null out
  public Deserializer<LogChunk> deserializer() {
    var slow = general.deserializer();
    return (topic, bytes) -> {
      if (bytes == null) {
        return null;
      }
      var chunk = reader.read(bytes);
      return chunk == null ? slow.deserialize(topic, bytes) : chunk;
    };
  }
}
