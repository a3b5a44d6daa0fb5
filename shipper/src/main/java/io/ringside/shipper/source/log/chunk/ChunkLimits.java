package io.ringside.shipper.source.log.chunk;

/// Limits of a chunk and of a line.
///
/// @param lines a chunk is closed once it has this many lines
/// @param textBytes or once its text has this many bytes; the last line may go beyond
/// @param lineBytes longer lines are cut to this many bytes; the rest is counted and dropped
public record ChunkLimits(int lines, int textBytes, int lineBytes) {
  /// 300 lines, 64 KiB a chunk, 64 KiB a line.
  public static final ChunkLimits DEFAULT = new ChunkLimits(300, 64 << 10, 64 << 10);

  private static final int LONGEST_LINE = 256 << 10;

  public ChunkLimits {
    if (lines < 1 || textBytes < 1) {
      throw new IllegalArgumentException(
          "a chunk must hold a line: %d lines, %d bytes".formatted(lines, textBytes));
    }
    if (lineBytes < 16 || lineBytes > LONGEST_LINE) {
      throw new IllegalArgumentException(
          "the longest line must have 16 to %d bytes, not %d".formatted(LONGEST_LINE, lineBytes));
    }
  }

  /// Limit of a container runtime's line with its escapes and prefix, in bytes.
  int physicalLineBytes() {
    return 2 * lineBytes + 1024;
  }

  /// Size of a buffer, in bytes, in which the decoder always finds the end of a line or a progress
  /// bar. A progress bar waits for the end of the next one, and there may be a run of carriage
  /// returns between them.
  int bufferBytes() {
    return 4 * lineBytes + 4096;
  }
}
