package io.ringside.shipper.source.log.chunk;

import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.source.log.line.LineCounts;

/// The buffers of one reading thread, shared by all its files.
///
/// @param <T> what it makes of lines
public final class Workspace<T> {
  final byte[] buffer;
  final ChunkBuilder chunk;
  final ChunkForm<T> form;

  /// For chunks as records, with the usual limits.
  public static Workspace<LogChunk> ofRecords(LineCounts counts) {
    return new Workspace<>(ChunkForm.record(), ChunkLimits.DEFAULT, counts);
  }

  public Workspace(ChunkForm<T> form, ChunkLimits limits, LineCounts counts) {
    this.form = form;
    buffer = new byte[limits.bufferBytes()];
    chunk = new ChunkBuilder(limits, counts);
  }
}
