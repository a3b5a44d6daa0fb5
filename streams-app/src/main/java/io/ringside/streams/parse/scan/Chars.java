package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;

/// Tests, searches and numbers in ranges of a text. Nothing here allocates or throws, as long as
/// `0 <= from` and `end <= text.length()`.
public final class Chars {
  private static final byte[] HEX = hexValues();

  private Chars() {}

  private static byte[] hexValues() {
    var values = new byte['f' + 1];
    for (var c = 0; c < values.length; c++) {
      values[c] = (byte) Character.digit(c, 16);
    }
    return values;
  }

  /// True for 0 to 9.
  public static boolean isDigit(char c) {
    return (char) (c - '0') <= 9;
  }

  /// True for a to z and A to Z.
  public static boolean isLetter(char c) {
    return (char) ((c | 0x20) - 'a') < 26;
  }

  /// Value of a hexadecimal digit, or -1. Uses a table, because a processor cannot predict whether
  /// the next char of a pointer is a digit or a letter.
  public static int hexValue(char c) {
    return c < HEX.length ? HEX[c] : -1;
  }

  /// First index at or after `from` that holds no digit, or `end`.
  public static int skipDigits(Text text, int from, int end) {
    var at = from;
    while (at < end && isDigit(text.charAt(at))) {
      at++;
    }
    return at;
  }

  /// First index at or after `from` that holds no blank or tab, or `end`.
  public static int skipBlanks(Text text, int from, int end) {
    var at = from;
    while (at < end && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
    return at;
  }

  /// Moves `end` left over blanks, tabs and line ends.
  public static int trimEnd(Text text, int from, int end) {
    var at = end;
    while (at > from && text.charAt(at - 1) <= ' ') {
      at--;
    }
    return at;
  }

  /// True if the range holds `literal`, which must not be empty, at `at`.
  public static boolean at(Text text, int at, int end, String literal) {
    return end - at >= literal.length()
        && text.charAt(at) == literal.charAt(0)
        && text.startsWith(literal, at);
  }

  /// Index of `literal`, which must not be empty, within the range, or -1.
  public static int find(Text text, int from, int end, String literal) {
    return text.indexOf(literal, from, end);
  }

  /// Index of `c` within the range, or -1.
  public static int find(Text text, int from, int end, char c) {
    return text.indexOf(c, from, end);
  }

  /// Value of a run of digits; saturates at [Long#MAX_VALUE].
  public static long digits(Text text, int from, int end) {
    var value = 0L;
    if (end - from <= 18) {
      for (var at = from; at < end; at++) {
        value = value * 10 + (text.charAt(at) - '0');
      }
      return value;
    }
    for (var at = from; at < end; at++) {
      if (value > (Long.MAX_VALUE - 9) / 10) {
        return Long.MAX_VALUE;
      }
      value = value * 10 + (text.charAt(at) - '0');
    }
    return value;
  }

  /// Like [#digits], saturating at [Integer#MAX_VALUE].
  public static int smallDigits(Text text, int from, int end) {
    return (int) Math.min(Integer.MAX_VALUE, digits(text, from, end));
  }
}
