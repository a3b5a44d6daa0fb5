package io.ringside.shipper.source.log.follow;

import io.ringside.schemas.event.LogChunk;
import java.util.concurrent.CompletableFuture;

/// Takes the chunks of a tailed file and says later whether each is safe.
@FunctionalInterface
public interface ChunkOutlet {
  /// Hands a chunk on. The future ends normally once it need never be sent again, exceptionally if
  /// it must be, on any thread.
  CompletableFuture<Void> send(LogChunk chunk);
}
