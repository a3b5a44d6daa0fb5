package io.ringside.shipper.source.log.chunk;

import io.ringside.shipper.source.log.file.ByteSource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The part of a file at which a {@link ChunkReader} looks: from some offset on as far as the
/// decoder may need to see. Of a complete file more is read than it sees at once, so that the next
/// look mostly costs nothing. How much that is never shows. Not thread-safe.
final class Window {
  private final int span;
  private byte[] buffer;
  private @Nullable ByteSource source;
  private long base;
  private int filled;
  private int from;
  private int to;

  /// @param span bytes that are seen at once
  Window(int span) {
    this.span = span;
    this.buffer = new byte[span];
  }

  /// From now on reads so many bytes of a file more than are seen. Its files must be complete.
  void readAhead(int bytes) {
    if (buffer.length != span + bytes) {
      source = null;
      buffer = new byte[span + bytes];
    }
  }

  /// Looks at what lies from `position` on.
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

  /// Where the first byte that is seen lies in {@link #bytes}.
  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /// Whether there may be more in the file than is seen.
  boolean full() {
    return to - from == span;
  }
}
