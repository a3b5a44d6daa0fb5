package io.ringside.streams.parse;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.nccl.NcclHeader;
import io.ringside.streams.parse.scan.Chars;

/// The shape of an unknown line: its message without its numbers, so that a hundred thousand lines
/// of one kind count as one.
public final class Shapes {

  /// Longest shape, in chars.
  public static final int MAX_LENGTH = 120;

  private Shapes() {}

  /// The message of the line with runs of digits as `#`, pointers and hashes as `#x#`, and quoted
  /// text as `'*'`.
  ///
  /// @param text the text that holds the line
  /// @param start first char of the line
  /// @param end end (exclusive) of the line
  public static String of(Text text, int start, int end) {
    var keyword = NcclHeader.find(text, start, end);
    var from = keyword < 0 ? start : NcclHeader.messageStart(text, keyword, end);
    var to = Chars.trimEnd(text, from, end);
    var shape = new StringBuilder(Math.min(MAX_LENGTH, to - from));
    var at = from;
    while (at < to && shape.length() < MAX_LENGTH) {
      var c = text.charAt(at);
      if (c == '0'
          && at + 2 < to
          && text.charAt(at + 1) == 'x'
          && Chars.hexValue(text.charAt(at + 2)) >= 0) {
        shape.append("0x#");
        at = skipHex(text, at + 2, to);
      } else if (Chars.isDigit(c)) {
        shape.append('#');
        at = Chars.skipDigits(text, at, to);
      } else if (c == '\'' && Chars.find(text, at + 1, to, '\'') > 0) {
        shape.append("'*'");
        at = Chars.find(text, at + 1, to, '\'') + 1;
      } else {
        shape.append(c < ' ' ? ' ' : c < 0x80 ? c : '?');
        at++;
      }
    }
    return shape.toString();
  }

  private static int skipHex(Text text, int from, int end) {
    var at = from;
    while (at < end && Chars.hexValue(text.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }
}
