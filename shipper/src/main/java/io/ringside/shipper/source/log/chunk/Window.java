package io.ringside.shipper.source.log.chunk;

import io.ringside.shipper.source.log.file.ByteSource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The part of a file that a {@link ChunkReader} sees: from an offset on, as far as the decoder may
/// need. Of a complete file it reads ahead, so that the next call mostly needs no read. The amount
/// read ahead does not change the result. Not thread-safe.
final class Window {
  private final int span;
  private byte[] buffer;
  private @Nullable ByteSource source;
  private long base;
  private int filled;
  private int from;
  private int to;

  /// @param span number of bytes visible at once
  Window(int span) {
    this.span = span;
    this.buffer = new byte[span];
  }

  /// Sets how many bytes to read beyond the visible ones. The files must be complete.
  void readAhead(int bytes) {
    if (buffer.length != span + bytes) {
      source = null;
      buffer = new byte[span + bytes];
    }
  }

  /// Moves the visible part to begin at `position`.
  void look(ByteSource bytes, long position) throws IOException {
    if (!holds(bytes, position)) {
      source = null;
      filled = bytes.read(buffer, position);
      source = bytes;
      base = position;
    }
    from = (int) (position - base);
    to = Math.min(from + span, filled);
  }

  private boolean holds(ByteSource bytes, long position) {
    return buffer.length > span
        && bytes == source
        && position >= base
        && position <= base + filled
        && (position + span <= base + filled || filled < buffer.length);
  }

  byte[] bytes() {
    return buffer;
  }

  /// Index in {@link #bytes} of the first visible byte.
  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /// Whether the file may have more bytes after the visible part.
  boolean full() {
    return to - from == span;
  }
}
