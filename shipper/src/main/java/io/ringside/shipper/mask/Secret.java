package io.ringside.shipper.mask;

import java.util.Locale;
import java.util.Set;

/// Where a secret stands in a text.
///
/// @param to exclusive; at most `from` if nothing was found
record Secret(int from, int to) {
  private static final Set<String> NO_SECRETS = Set.of("none", "null", "true", "false");

  private static final int SHORTEST = 8;

  /// Fewest digits of a number that is not a count. No count of a job has so many; a share or a
  /// loss may have more after its decimal point.
  private static final int LONGEST_COUNT = 16;

  private static final int DIGITS = 4;
  private static final int ROW = 20;

  /// The text without the quotes around it, which are escaped in a document within a document.
  static Secret in(String text, int start, int end) {
    int from = start;
    int to = end;
    while (from >= 0 && from < to && text.charAt(from) == '\\') {
      from++;
    }
    if (from >= 0 && from < to && isQuote(text.charAt(from))) {
      from++;
      if (from < to && isQuote(text.charAt(to - 1))) {
        to--;
      }
      while (from < to && text.charAt(to - 1) == '\\') {
        to--;
      }
    } else {
      from = start;
    }
    return new Secret(from, to);
  }

  boolean isEmpty() {
    return from < 0 || from >= to;
  }

  /// Whether the text is a switch, an empty value, a count, a rate or a share: `None`, `true`,
  /// `4096`, `1.5e+06`, `12.5K`, `77%`.
  boolean isOrdinary(String text) {
    return NO_SECRETS.contains(text.substring(from, to).toLowerCase(Locale.ROOT)) || isNumber(text);
  }

  /// Whether the text looks random: digits mixed with letters as in no name, or a longer run of
  /// both than in any word.
  boolean isRandom(String text) {
    int digits = 0;
    int changes = 0;
    int row = 0;
    int longest = 0;
    for (int at = from; at < to; at++) {
      boolean digit = isDigit(text.charAt(at));
      boolean letter = isLetter(text.charAt(at));
      digits += digit ? 1 : 0;
      changes +=
          at > from
                  && (digit && isLetter(text.charAt(at - 1))
                      || letter && isDigit(text.charAt(at - 1)))
              ? 1
              : 0;
      row = digit || letter ? row + 1 : 0;
      longest = Math.max(longest, row);
    }
    return to - from >= SHORTEST && (longest >= ROW || digits >= DIGITS && changes > 0);
  }

  private boolean isNumber(String text) {
    int at = from;
    if (text.charAt(at) == '-' || text.charAt(at) == '+') {
      at++;
    }
    int digits = 0;
    for (; at < to && (isDigit(text.charAt(at)) || ".,_".indexOf(text.charAt(at)) >= 0); at++) {
      digits += isDigit(text.charAt(at)) ? 1 : 0;
    }
    if (digits == 0) {
      return false;
    }
    if (at + 1 < to && (text.charAt(at) | 0x20) == 'e') {
      int power = at + ("+-".indexOf(text.charAt(at + 1)) >= 0 ? 2 : 1);
      int after = power;
      while (after < to && isDigit(text.charAt(after))) {
        after++;
      }
      at = after > power ? after : at;
    }
    boolean count = at - from < LONGEST_COUNT || text.substring(from, at).indexOf('.') >= 0;
    return count && to - at <= 2 && text.substring(at, to).chars().noneMatch(Character::isDigit);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    char lower = (char) (c | 0x20);
    return lower >= 'a' && lower <= 'z';
  }

  private static boolean isQuote(char c) {
    return c == '"' || c == '\'';
  }
}
