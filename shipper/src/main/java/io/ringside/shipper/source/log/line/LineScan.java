package io.ringside.shipper.source.log.line;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Looks for single bytes eight at a time: the innermost loop of the agent.
public final class LineScan {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH = 0x8080808080808080L;
  private static final long LF = ONES * '\n';
  private static final long CR = ONES * '\r';

  private LineScan() {}

  /// Index of the first LF or CR in `[from, to)`, or -1.
  public static int lineEnd(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long word = (long) LONGS.get(bytes, i);
      long found = zeroBytes(word ^ LF) | zeroBytes(word ^ CR);
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
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
    long pattern = ONES * (wanted & 0xff);
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long found = zeroBytes((long) LONGS.get(bytes, i) ^ pattern);
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    for (; i < to; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  /// Index of the first byte in `[from, to)` that is no ASCII, or -1.
  public static int nonAscii(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long found = (long) LONGS.get(bytes, i) & HIGH;
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    for (; i < to; i++) {
      if (bytes[i] < 0) {
        return i;
      }
    }
    return -1;
  }

  /// High bit of each byte that is zero. Bytes above the first zero one may be marked wrongly, so
  /// only the lowest mark counts.
  private static long zeroBytes(long word) {
    return (word - ONES) & ~word & HIGH;
  }
}
