package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;

/// Walks over a range of a text and reads what its caller expects. The first mismatch makes it
/// [#bad] for good, and the later reads return harmless values: the caller checks once, at the end.
/// Not thread-safe.
public class Cursor {

  /// Powers of ten that a double holds exactly.
  private static final double[] TENS = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22
  };

  private static final int MOST_DIGITS = 18;

  private final Text text;
  private int end;
  private int at;
  private boolean bad;

  /// A cursor at the start of a range.
  public Cursor(Text text, int from, int end) {
    this.text = text;
    this.at = from;
    this.end = end;
  }

  /// A cursor without a range; [#range] sets it.
  protected Cursor(Text text) {
    this(text, 0, 0);
  }

  /// Goes to the start of another range of the text.
  protected final void range(int from, int to) {
    at = from;
    end = to;
    bad = false;
  }

  /// The text in which the range lies.
  public final Text text() {
    return text;
  }

  /// Where the cursor stands.
  public final int at() {
    return at;
  }

  /// End of the range.
  public final int end() {
    return end;
  }

  /// Moves to a place within the range, and clears [#bad].
  public final void back(int to) {
    at = to;
    bad = false;
  }

  /// True if something did not fit.
  public final boolean bad() {
    return bad;
  }

  /// True if everything has matched so far.
  public final boolean good() {
    return !bad;
  }

  /// True if everything has matched and only blanks are left.
  public final boolean done() {
    return !bad && Chars.skipBlanks(text, at, end) == end;
  }

  /// True at the end of the range.
  public final boolean atEnd() {
    return at >= end;
  }

  /// The char under the cursor, or 0 at the end.
  public final char peek() {
    return at < end ? text.charAt(at) : 0;
  }

  /// Marks the line as not fitting.
  public final void fail() {
    bad = true;
  }

  /// Moves past a literal if it is here.
  public final boolean skip(String literal) {
    var length = literal.length();
    if (end - at < length) {
      return false;
    }
    for (var i = 0; i < length; i++) {
      if (text.charAt(at + i) != literal.charAt(i)) {
        return false;
      }
    }
    at += length;
    return true;
  }

  /// Moves past one char if it is here.
  public final boolean skip(char c) {
    if (at < end && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  /// Moves past a literal that must be here.
  public final Cursor expect(String literal) {
    if (!skip(literal)) {
      bad = true;
    }
    return this;
  }

  /// Moves past blanks.
  public final Cursor blanks() {
    at = Chars.skipBlanks(text, at, end);
    return this;
  }

  /// Moves past the next occurrence of a literal, which must exist.
  public final Cursor seek(String literal) {
    var found = Chars.find(text, at, end, literal);
    if (found < 0) {
      bad = true;
    } else {
      at = found + literal.length();
    }
    return this;
  }

  /// Moves past the next occurrence of a literal, if there is one, and returns whether there was.
  public final boolean find(String literal) {
    var found = Chars.find(text, at, end, literal);
    if (found >= 0) {
      at = found + literal.length();
    }
    return found >= 0;
  }

  /// A decimal number with an optional minus; saturates.
  public final long number() {
    var negative = at < end && text.charAt(at) == '-';
    var from = negative ? at + 1 : at;
    var value = 0L;
    var p = from;
    for (; p < end; p++) {
      var digit = (char) (text.charAt(p) - '0');
      if (digit > 9) {
        break;
      }
      value = value * 10 + digit;
    }
    if (p == from) {
      bad = true;
      return 0;
    }
    if (p - from > MOST_DIGITS) {
      value = Chars.digits(text, from, p);
    }
    at = p;
    return negative ? -value : value;
  }

  /// A decimal number; a value outside the range of an int saturates.
  public final int integer() {
    var value = number();
    return value == (int) value ? (int) value : value < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE;
  }

  /// Hexadecimal digits without 0x; the lowest 64 bits.
  public final long hex() {
    var p = at;
    var value = 0L;
    for (; p < end; p++) {
      var digit = Chars.hexValue(text.charAt(p));
      if (digit < 0) {
        break;
      }
      value = value << 4 | digit;
    }
    if (p == at) {
      bad = true;
    }
    at = p;
    return value;
  }

  /// A decimal fraction as C, Python and Java print it, `nan`, `inf` and exponents included. Exact
  /// up to 15 digits, within one unit in the last place beyond.
  ///
  /// Deliberately one method: the JVM copies shorter ones into each place that calls them (up to
  /// 325 bytes of bytecode), and the many copies in the readers of times and memory displaced each
  /// other from the processor's cache.
  public final double decimal() {
    var from = at;
    var p = from;
    var negative = p < end && text.charAt(p) == '-';
    if (negative || p < end && text.charAt(p) == '+') {
      p++;
    }
    var mantissa = 0L;
    var digits = 0;
    var point = -1;
    for (; p < end; p++) {
      var c = text.charAt(p);
      var digit = (char) (c - '0');
      if (digit <= 9) {
        digits++;
        mantissa = mantissa * 10 + digit;
      } else if (c == '.' && point < 0) {
        point = p;
      } else {
        break;
      }
    }
    if (digits == 0) {
      return named(from, p, negative);
    }
    var power = point < 0 ? 0 : point + 1 - p;
    if (p < end && (text.charAt(p) | 0x20) == 'e') {
      var e = p + 1;
      var less = e < end && text.charAt(e) == '-';
      if (less || e < end && text.charAt(e) == '+') {
        e++;
      }
      var to = Chars.skipDigits(text, e, end);
      if (to > e) {
        var exponent = Chars.smallDigits(text, e, Math.min(to, e + 6));
        power += less ? -exponent : exponent;
        p = to;
      }
    }
    at = p;
    if (digits > MOST_DIGITS || power < -22 || power > 22) {
      return slowly(from, p);
    }
    var value = power < 0 ? mantissa / TENS[-power] : mantissa * TENS[power];
    return negative ? -value : value;
  }

  private double slowly(int from, int to) {
    if (to - from > 400) {
      bad = true;
      return Double.NaN;
    }
    try {
      return Double.parseDouble(text.substring(from, to));
    } catch (NumberFormatException ignored) {
      bad = true;
      return Double.NaN;
    }
  }

  private double named(int from, int p, boolean negative) {
    at = p;
    if (skip("inf") || skip("Inf")) {
      skip("inity");
      return negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    if (skip("nan") || skip("NaN")) {
      return Double.NaN;
    }
    at = from;
    bad = true;
    return Double.NaN;
  }

  /// The chars up to a stop char or the end; must not be empty. Stops at the stop char.
  public final String until(char stop) {
    var to = Chars.find(text, at, end, stop);
    return upTo(to < 0 ? end : to);
  }

  /// The chars up to a literal, which must exist. Moves past the literal.
  public final String before(String literal) {
    var to = Chars.find(text, at, end, literal);
    if (to < 0) {
      bad = true;
      return "";
    }
    var word = upTo(to);
    at = to + literal.length();
    return word;
  }

  /// The chars up to a blank or the end; must not be empty.
  public final String word() {
    var to = at;
    while (to < end && text.charAt(to) > ' ') {
      to++;
    }
    return upTo(to);
  }

  /// All that is left, without blanks around it.
  public final String rest() {
    var left = ahead();
    at = end;
    return left;
  }

  /// The same, without moving.
  public final String ahead() {
    var from = Chars.skipBlanks(text, at, end);
    return text.substring(from, Chars.trimEnd(text, from, end));
  }

  /// A pointer as `%p` prints it: `0x…`, or `(nil)`.
  public final String pointer() {
    var from = at;
    if (skip("(nil)")) {
      return "(nil)";
    }
    expect("0x");
    hex();
    return bad ? "" : text.substring(from, at);
  }

  private String upTo(int to) {
    if (to <= at) {
      bad = true;
      return "";
    }
    var word = text.substring(at, to);
    at = to;
    return word;
  }
}
