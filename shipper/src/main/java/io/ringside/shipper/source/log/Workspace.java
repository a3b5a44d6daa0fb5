package io.ringside.shipper.source.log;

/// The buffers of one reading thread, shared by all its files.
final class Workspace {
  final byte[] buffer;
  final ChunkBuilder chunk;

  Workspace(ChunkLimits limits, LineCounts counts) {
    buffer = new byte[limits.bufferBytes()];
    chunk = new ChunkBuilder(limits, counts);
  }
}
