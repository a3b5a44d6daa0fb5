package io.ringside.shipper.source.log.chunk;

/// How much a chunk and a line may hold.
///
/// @param lines a chunk is closed at so many lines
/// @param textBytes or when its text has so many bytes; the last line may reach beyond
/// @param lineBytes longer lines are cut here and the rest is counted and dropped
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

  /// What a container runtime's line may take with its escapes and its prefix.
  int physicalLineBytes() {
    return 2 * lineBytes + 1024;
  }

  /// A buffer in which the decoder always finds the end of something: a progress bar waits for the
  /// end of its successor, and there may be a run of carriage returns between them.
  int bufferBytes() {
    return 4 * lineBytes + 4096;
  }
}
