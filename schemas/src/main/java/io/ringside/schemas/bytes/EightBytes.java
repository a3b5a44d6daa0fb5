package io.ringside.schemas.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Handles eight bytes as one long, the first one lowest, and tests them all at once. A byte is
/// marked by setting its highest bit.
public final class EightBytes {
  /// A byte times this gives eight copies of it.
  public static final long ONES = 0x0101010101010101L;

  /// The highest bits of eight bytes.
  public static final long HIGH = 0x8080808080808080L;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private EightBytes() {}

  /// The eight bytes from an index on.
  ///
  /// @throws IndexOutOfBoundsException if there are fewer than eight
  public static long at(byte[] bytes, int index) {
    return (long) LONGS.get(bytes, index);
  }

  /// Marks each zero byte; all other bits are 0. Bytes above a zero byte may be marked wrongly, so
  /// only the lowest mark is reliable.
  public static long zero(long word) {
    return (word - ONES) & ~word & HIGH;
  }

  /// Marks each byte that equals the wanted one, with the same limit as {@link #zero}.
  ///
  /// @param wanted 0 to 255
  public static long equal(long word, int wanted) {
    return zero(word ^ ONES * wanted);
  }

  /// Marks exactly the bytes that are not zero; all other bits are undefined.
  public static long nonZero(long word) {
    return (word & ~HIGH) + ~HIGH | word;
  }

  /// Number of bytes below the lowest mark; 8 if there is none.
  ///
  /// @param marks must have no other bits set
  public static int first(long marks) {
    return Long.numberOfTrailingZeros(marks) >>> 3;
  }
}
