package io.ringside.shipper.source.log.line;

import io.ringside.schemas.bytes.EightBytes;

/// Searches for single bytes, eight at a time. This is the innermost loop of the agent.
public final class LineScan {
  private LineScan() {}

  /// Index of the first LF or CR in `[from, to)`, or -1.
  public static int lineEnd(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long word = EightBytes.at(bytes, i);
      long found = EightBytes.equal(word, '\n') | EightBytes.equal(word, '\r');
      if (found != 0) {
        return i + EightBytes.first(found);
      }
    }
    for (; i < to; i++) {
      if (bytes[i] == '\n' || bytes[i] == '\r') {
        return i;
      }
    }
    return -1;
  }

  /// Index of the first `wanted` in `[from, to)`, or -1.
  public static int indexOf(byte[] bytes, byte wanted, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long found = EightBytes.equal(EightBytes.at(bytes, i), wanted & 0xff);
      if (found != 0) {
        return i + EightBytes.first(found);
      }
    }
    for (; i < to; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  /// Number of bytes in `[from, to)` that equal `wanted`.
  public static int count(byte[] bytes, byte wanted, int from, int to) {
    int count = 0;
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long others = EightBytes.nonZero(EightBytes.at(bytes, i) ^ EightBytes.ONES * (wanted & 0xff));
      count += Long.bitCount(~others & EightBytes.HIGH);
    }
    for (; i < to; i++) {
      count += bytes[i] == wanted ? 1 : 0;
    }
    return count;
  }

  /// Index of the first byte in `[from, to)` that is not ASCII, or -1.
  public static int nonAscii(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long found = EightBytes.at(bytes, i) & EightBytes.HIGH;
      if (found != 0) {
        return i + EightBytes.first(found);
      }
    }
    for (; i < to; i++) {
      if (bytes[i] < 0) {
        return i;
      }
    }
    return -1;
  }
}
