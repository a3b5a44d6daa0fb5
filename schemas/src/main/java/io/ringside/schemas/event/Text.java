package io.ringside.schemas.event;

import io.ringside.schemas.bytes.EightBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Lines of a log in transit: UTF-8, examined byte by byte. The texts that parsers recognise are
/// ASCII, so parsers walk over bytes, which costs a fraction of walking over chars, and only the
/// parts that they extract are decoded.
///
/// All indexes count bytes. Immutable as long as the bytes passed in are not changed; thread-safe.
public final class Text {
  private final byte[] bytes;

  private Text(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Text of(String text) {
    return new Text(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The text of the given bytes.
  ///
  /// @param utf8 must not be changed afterwards; invalid bytes are decoded as U+FFFD
  public static Text of(byte[] utf8) {
    return new Text(utf8);
  }

  /// Length in bytes.
  public int length() {
    return bytes.length;
  }

  /// The byte at an index as a char: the character itself if it is ASCII, else 0x80 to 0xff without
  /// a meaning of its own.
  ///
  /// @throws ArrayIndexOutOfBoundsException if the index is out of range
  public char charAt(int index) {
    return (char) (bytes[index] & 0xff);
  }

  /// The bytes in a range, decoded.
  public String substring(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /// Like {@link #substring}, but at most the given number of bytes, without a broken character at
  /// the end.
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
    int at = from;
    for (int last = to - Long.BYTES; at <= last; at += Long.BYTES) {
      long found = EightBytes.equal(EightBytes.at(bytes, at), c);
      if (found != 0) {
        return at + EightBytes.first(found);
      }
    }
    if (at >= to) {
      return -1;
    }
    int found = at + EightBytes.first(EightBytes.equal(word(at), c));
    return found < to ? found : -1;
  }

  /// Index of a non-empty ASCII literal within a range, or -1.
  public int indexOf(String ascii, int from, int to) {
    if (ascii.length() == 1) {
      return indexOf(ascii.charAt(0), from, to);
    }
    int last = to - ascii.length();
    for (int at = from; at <= last; ) {
      int pair = indexOfPair(ascii.charAt(0), ascii.charAt(1), at, to);
      if (pair < 0 || pair > last) {
        return -1;
      }
      if (startsWith(ascii, pair)) {
        return pair;
      }
      at = pair + 1;
    }
    return -1;
  }

  /// Index of two successive ASCII chars within a range, or -1.
  public int indexOfPair(char first, char second, int from, int to) {
    int at = from;
    // advance by seven, not eight: the eighth byte may be the first of a pair
    for (int last = to - Long.BYTES; at <= last; at += Long.BYTES - 1) {
      long word = EightBytes.at(bytes, at);
      long found = EightBytes.equal(word, first) & EightBytes.equal(word, second) >>> Byte.SIZE;
      while (found != 0) {
        int pair = at + EightBytes.first(found);
        if (bytes[pair] == first && bytes[pair + 1] == second) {
          return pair;
        }
        found &= found - 1;
      }
    }
    for (; at + 1 < to; at++) {
      if (bytes[at] == first && bytes[at + 1] == second) {
        return at;
      }
    }
    return -1;
  }

  /// Whether an ASCII literal is at an index; false also if the text ends before.
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
    return same(at, this, other, length);
  }

  /// Whether a range of this text holds the same bytes as one of another.
  ///
  /// @param length of both ranges, which must lie within their texts
  public boolean same(int at, Text other, int otherAt, int length) {
    if (length < Long.BYTES) {
      return length <= 0
          || (word(at) ^ other.word(otherAt)) << (Long.SIZE - Byte.SIZE * length) == 0;
    }
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      if (EightBytes.at(bytes, at + i) != EightBytes.at(other.bytes, otherAt + i)) {
        return false;
      }
    }
    return EightBytes.at(bytes, at + last) == EightBytes.at(other.bytes, otherAt + last);
  }

  /// The eight bytes from an index on, the first one lowest; zeros after the end.
  public long word(int at) {
    return bytes.length - at >= Long.BYTES ? EightBytes.at(bytes, at) : lastWord(at);
  }

  private long lastWord(int at) {
    long word = 0;
    for (int i = bytes.length - 1; i >= at; i--) {
      word = word << Byte.SIZE | bytes[i] & 0xff;
    }
    return word;
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

  /// The whole text, decoded.
  @Override
  public String toString() {
    return substring(0, bytes.length);
  }
}
