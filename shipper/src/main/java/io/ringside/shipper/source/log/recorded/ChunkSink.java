package io.ringside.shipper.source.log.recorded;

import io.ringside.schemas.event.LogChunk;

/// Takes chunks in order; may block until there is room for one.
@FunctionalInterface
public interface ChunkSink {
  void accept(LogChunk chunk);
}
