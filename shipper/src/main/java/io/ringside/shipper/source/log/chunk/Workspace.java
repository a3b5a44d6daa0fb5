package io.ringside.shipper.source.log.chunk;

import io.ringside.shipper.source.log.line.LineCounts;

/// The buffers of one reading thread, shared by all its files.
public final class Workspace {
  final Window window;
  final ChunkBuilder chunk;
  private final ChunkLimits limits;

  /// A workspace with the default limits.
  public Workspace(LineCounts counts) {
    this(ChunkLimits.DEFAULT, counts);
  }

  public Workspace(ChunkLimits limits, LineCounts counts) {
    this.limits = limits;
    window = new Window(limits.bufferBytes());
    chunk = new ChunkBuilder(limits, counts);
  }

  /// Reads as many bytes at once as this many chunks may take. Only for complete files.
  public void readAhead(int chunks) {
    window.readAhead((chunks - 1) * limits.textBytes());
  }
}
