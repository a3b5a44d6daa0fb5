package io.ringside.shipper.source.log.chunk;

import io.ringside.shipper.source.log.line.LineCounts;

/// The buffers of one reading thread, shared by all its files.
///
/// @param <T> what it makes of lines
public final class Workspace<T> {
  final byte[] buffer;
  final ChunkBuilder chunk;
  final ChunkForm<T> form;

  public Workspace(ChunkForm<T> form, ChunkLimits limits, LineCounts counts) {
    this.form = form;
    buffer = new byte[limits.bufferBytes()];
    chunk = new ChunkBuilder(limits, counts);
  }
}
