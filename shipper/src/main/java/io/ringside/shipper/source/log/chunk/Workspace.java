package io.ringside.shipper.source.log.chunk;

import io.ringside.shipper.source.log.line.LineCounts;

/// The buffers of one reading thread, shared by all its files.
public final class Workspace {
  final Window window;
  final ChunkBuilder chunk;
  private final ChunkLimits limits;

  /// With the usual limits.
  public Workspace(LineCounts counts) {
    this(ChunkLimits.DEFAULT, counts);
  }

  public Workspace(ChunkLimits limits, LineCounts counts) {
    this.limits = limits;
    window = new Window(limits.bufferBytes());
    chunk = new ChunkBuilder(limits, counts);
  }

  /// For complete files: reads as much at once as so many chunks may take.
  public void readAhead(int chunks) {
    window.readAhead((chunks - 1) * limits.textBytes());
  }
}
