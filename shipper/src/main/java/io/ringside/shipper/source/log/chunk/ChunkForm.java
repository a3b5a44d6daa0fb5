package io.ringside.shipper.source.log.chunk;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.serde.ChunkJson;

/// What becomes of the lines that a {@link ChunkBuilder} has collected.
///
/// @param <T> the product
@FunctionalInterface
public interface ChunkForm<T> {
  /// Makes a chunk of what the builder holds.
  T make(ChunkJson.Head head, ChunkBuilder lines);

  /// Chunks as records.
  static ChunkForm<LogChunk> record() {
    return (head, lines) -> lines.toChunk(head);
  }

  /// Chunks as the bytes that go to the broker. Not thread-safe: one for each reading thread.
  static ChunkForm<EncodedChunk> json() {
    var json = new ChunkJson();
    return (head, lines) -> lines.toJson(head, json);
  }
}
