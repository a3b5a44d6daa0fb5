package io.ringside.standalone.analyze;

import io.ringside.schemas.event.LogChunk;
import java.util.Arrays;

/// Counts the lines of each part of a log. Not thread-safe.
final class PartLines {
  private long[] lines = new long[1];

  /// Counts a chunk's lines.
  ///
  /// @param starts start offset of each part, in bytes
  void count(LogChunk chunk, long[] starts) {
    if (lines.length < starts.length) {
      lines = Arrays.copyOf(lines, starts.length);
    }
    for (int line = 0; line < chunk.lines(); ) {
      int part = part(starts, chunk.offset(line));
      boolean last = part == starts.length - 1 || starts[part + 1] >= chunk.nextOffset();
      lines[part] += last ? chunk.lines() - line : 1;
      line = last ? chunk.lines() : line + 1;
    }
  }

  private static int part(long[] starts, long offset) {
    int part = starts.length - 1;
    while (part > 0 && starts[part] > offset) {
      part--;
    }
    return part;
  }

  long of(int part) {
    return part < lines.length ? lines[part] : 0;
  }
}
