package io.ringside.shipper.source.log.chunk;

import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.source.log.line.LineCounts;

/// The buffers of one reading thread, shared by all its files.
///
/// @param <T> what it makes of lines
public final class Workspace<T> {
  final Window window;
  final ChunkBuilder chunk;
  final ChunkForm<T> form;
  private final ChunkLimits limits;

  /// For chunks as records, with the usual limits.
  public static Workspace<LogChunk> ofRecords(LineCounts counts) {
    return new Workspace<>(ChunkForm.record(), ChunkLimits.DEFAULT, counts);
  }

  public Workspace(ChunkForm<T> form, ChunkLimits limits, LineCounts counts) {
    this.form = form;
    this.limits = limits;
    window = new Window(limits.bufferBytes());
    chunk = new ChunkBuilder(limits, counts);
  }

  /// For complete files: reads as much at once as so many chunks may take.
  public void readAhead(int chunks) {
    window.readAhead((chunks - 1) * limits.textBytes());
  }
}
