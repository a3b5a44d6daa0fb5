package io.ringside.schemas.event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Lines of a log as they travel: UTF-8, looked at byte by byte. What programs print to be recognised is ASCII,
/// so parsers walk over bytes, which costs a fraction of a string's chars, and only what they take out is decoded.
///
/// Every index is one of bytes. Immutable as long as nobody changes the bytes handed in; thread-safe.
public final class Text {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH = 0x8080808080808080L;

  private final byte[] bytes;

  private Text(byte[] bytes) {
    this.bytes = bytes;
  }

  /// The text of a string.
  public static Text of(String text) {
    return new Text(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The text that the bytes are.
  ///
  /// @param utf8 must not be changed afterwards; what is invalid in it shows as U+FFFD once decoded
  public static Text of(byte[] utf8) {
    return new Text(utf8);
  }

  /// In bytes.
  public int length() {
    return bytes.length;
  }

  /// The byte at an index as a char: itself where it is ASCII, else one of 0x80 to 0xff that stands for nothing.
  ///
  /// @throws ArrayIndexOutOfBoundsException if there is none
  public char charAt(int index) {
    return (char) (bytes[index] & 0xff);
  }

  /// The bytes in a range, decoded.
  public String substring(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /// Like {@link #substring}, at most so many bytes and no broken character at the end.
  public String head(int from, int to, int longest) {
    int end = Math.min(to, from + longest);
    if (end < to) {
      while (end > from && (bytes[end] & 0xc0) == 0x80) {
        end--;
      }
    }
    return substring(from, end);
  }

  /// Index of an ASCII char within a range, or -1.
  public int indexOf(char c, int from, int to) {
    long wanted = ONES * c;
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      long word = (long) LONGS.get(bytes, at) ^ wanted;
      long found = (word - ONES) & ~word & HIGH;
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == c) {
        return at;
      }
    }
    return -1;
  }

  /// Whether an ASCII literal stands at an index; false as well if the text ends before.
  public boolean startsWith(String ascii, int at) {
    int length = ascii.length();
    if (at < 0 || bytes.length - at < length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (bytes[at + i] != ascii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /// Whether two ranges of this length hold the same bytes.
  public boolean same(int at, int other, int length) {
    return Arrays.equals(bytes, at, at + length, bytes, other, other + length);
  }

  /// The bytes themselves, which must not be changed.
  public byte[] utf8() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Text that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /// All of it, decoded.
  @Override
  public String toString() {
    return substring(0, bytes.length);
  }
}
