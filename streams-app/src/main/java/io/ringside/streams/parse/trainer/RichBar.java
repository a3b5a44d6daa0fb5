package io.ringside.streams.parse.trainer;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.TextLine;

/// A bar of rich with a count and a clock, such as Lightning's `RichProgressBar`:
/// `Epoch 3/9 ━━━━╸━━━━━ 120/500 0:00:32 • 0:01:41 3.75it/s v_num: 0` (rich's `progress.py`,
/// `MofNCompleteColumn` and `TimeElapsedColumn`). A separate thread redraws it even without
/// progress. A bar without a description, a count or a clock shows no step, and neither does a bar
/// of bytes, as pip draws it.
public final class RichBar {
  /// Highest number of columns examined after the bar; the count and the clock are among the first.
  private static final int MOST_COLUMNS = 10;

  private static final int LONGEST_DESCRIPTION = 120;
  private static final long DAY = 86_400;

  private RichBar() {}

  /// Index of the first `━`, `╸` or `╺` in the range, or -1. Allocates nothing.
  public static int find(Text text, int from, int end) {
    for (var at = text.indexOf('\u00e2', from, end);
        at >= 0 && at + 3 <= end;
        at = text.indexOf('\u00e2', at + 1, end)) {
      if (isGlyph(text, at)) {
        return at;
      }
    }
    return -1;
  }

  /// U+2501, U+2578 and U+257A in UTF-8.
  private static boolean isGlyph(Text text, int at) {
    var second = text.charAt(at + 1);
    var third = text.charAt(at + 2);
    return second == 0x94 && third == 0x81 || second == 0x95 && (third == 0xb8 || third == 0xba);
  }

  /// Reads a bar.
  ///
  /// @param line cursor at the beginning of the description
  /// @param glyph index of the bar's first character
  /// @return whether the bar counts steps
  public static boolean read(TextLine line, int glyph) {
    var text = line.text();
    var end = line.end();
    var description = description(text, line.at(), glyph);
    if (description.isEmpty()) {
      return false;
    }
    var at = glyph;
    while (at < end && (text.charAt(at) >= 0x80 || text.charAt(at) == ' ')) {
      at++;
    }
    var done = -1L;
    var total = -1L;
    var days = 0L;
    for (var column = 0; column < MOST_COLUMNS && at < end; column++) {
      var to = wordEnd(text, at, end);
      if (done < 0) {
        var slash = Chars.skipDigits(text, at, to);
        if (slash > at && slash + 1 < to && text.charAt(slash) == '/') {
          if (Chars.skipDigits(text, slash + 1, to) < to) {
            return false; // 12/34.5 MB
          }
          done = Chars.digits(text, at, slash);
          total = Chars.digits(text, slash + 1, to);
        }
      } else if (isClock(text, at, to)) {
        var seconds = days * DAY + seconds(text, at, to);
        return line.emit(new TrainerEvent.Progress(done, total, seconds, description));
      } else if (isBytes(text, at, to)) {
        return false;
      } else if (Chars.at(text, Chars.skipBlanks(text, to, end), end, "day")) {
        days = Chars.digits(text, at, Chars.skipDigits(text, at, to)); // 1 day, 2:03:04
      }
      at = Chars.skipBlanks(text, to, end);
    }
    return false;
  }

  /// The description after an optional spinner; empty if it has no letter.
  private static String description(Text text, int from, int to) {
    var start = from;
    while (start < to && (text.charAt(start) >= 0x80 || text.charAt(start) == ' ')) {
      start++;
    }
    var end = Chars.trimEnd(text, start, to);
    if (end > start && text.charAt(end - 1) == ':') {
      end--;
    }
    if (end - start > LONGEST_DESCRIPTION) {
      return "";
    }
    var words = text.substring(start, end);
    return words.chars().anyMatch(c -> Chars.isLetter((char) c)) ? words : "";
  }

  private static int wordEnd(Text text, int from, int end) {
    var at = from;
    while (at < end && text.charAt(at) > ' ') {
      at++;
    }
    return at;
  }

  private static boolean isBytes(Text text, int from, int to) {
    return to > from
        && (text.charAt(to - 1) == 'B' && to - from <= 3 || Chars.at(text, from, to, "bytes"));
  }

  /// `0:33:00`, `41:40`.
  private static boolean isClock(Text text, int from, int to) {
    var colons = 0;
    for (var at = from; at < to; at++) {
      if (text.charAt(at) == ':') {
        colons++;
      } else if (!Chars.isDigit(text.charAt(at))) {
        return false;
      }
    }
    return colons > 0
        && colons <= 2
        && to - from >= 4
        && Chars.isDigit(text.charAt(from))
        && text.charAt(to - 3) == ':';
  }

  private static long seconds(Text text, int from, int to) {
    var seconds = 0L;
    var at = from;
    while (at < to) {
      var next = Chars.skipDigits(text, at, to);
      seconds = seconds * 60 + Chars.digits(text, at, next);
      at = next + 1;
    }
    return seconds;
  }
}
