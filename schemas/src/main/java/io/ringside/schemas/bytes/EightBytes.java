package io.ringside.schemas.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Eight bytes as one long, the first one lowest, and what can be told of all of them at once. To
/// mark a byte is to set its highest bit.
public final class EightBytes {
  /// A byte times this is eight of it.
  public static final long ONES = 0x0101010101010101L;

  /// The highest bits of eight bytes.
  public static final long HIGH = 0x8080808080808080L;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private EightBytes() {}

  /// Those from an index on.
  ///
  /// @throws IndexOutOfBoundsException if there are fewer
  public static long at(byte[] bytes, int index) {
    return (long) LONGS.get(bytes, index);
  }

  /// Marks each byte that is zero, all other bits are 0. Bytes above one that is zero may be marked
  /// wrongly, so only the lowest mark counts.
  public static long zero(long word) {
    return (word - ONES) & ~word & HIGH;
  }

  /// Marks each byte that is this one, as {@link #zero} does.
  ///
  /// @param wanted 0 to 255
  public static long equal(long word, int wanted) {
    return zero(word ^ ONES * wanted);
  }

  /// Marks each byte that is not zero, and no other; the other bits mean nothing.
  public static long nonZero(long word) {
    return (word & ~HIGH) + ~HIGH | word;
  }

  /// How many bytes are below the lowest mark; 8 where there is none.
  ///
  /// @param marks without other bits
  public static int first(long marks) {
    return Long.numberOfTrailingZeros(marks) >>> 3;
  }
}
