package io.ringside.streams.parse.trainer;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// tqdm's bar, `  6%|▌         | 3/50 [00:58<15:21, 19.61s/it]` (tqdm std.py). It ends without a
/// line feed, so any text may follow it.
public final class ProgressBar {

  /// Longer names stand before their own prefixes.
  private static final List<String> UNITS =
      List.of("it", "batch", "ba", "steps", "step", "iter", "updates");

  private ProgressBar() {}

  /// Index of the `%` of the next bar in the range, or -1. Allocates nothing.
  public static int find(Text text, int from, int end) {
    var at = Chars.find(text, from, end, '|');
    while (at >= 0) {
      if (at - 2 >= from && text.charAt(at - 1) == '%' && Chars.isDigit(text.charAt(at - 2))) {
        return at - 1;
      }
      at = Chars.find(text, at + 1, end, '|');
    }
    return -1;
  }

  /// Reads a bar.
  ///
  /// @param line cursor at the beginning of the description or the percentage
  /// @param percent index of its `%`
  /// @return index after the bar, or -1 if the text is no bar
  public static int read(TextLine line, int percent) {
    var from = line.at();
    var digits = percent;
    while (digits > from && Chars.isDigit(line.text().charAt(digits - 1))) {
      digits--;
    }
    var description = description(line.text(), from, digits);
    line.back(percent);
    line.expect("%|").seek("|").expect(" ").blanks();
    var done = count(line);
    var total = line.expect("/").peek() == '?' ? unknown(line) : count(line);
    line.expect(" [");
    var elapsed = clock(line);
    line.seek(",").expect(" ").blanks();
    if (!Chars.isLetter(line.peek())) { // NeMo gives no rate
      rate(line);
    }
    line.seek("]");
    if (line.bad()) {
      return -1;
    }
    line.emit(new TrainerEvent.Progress(done, total, elapsed, description));
    return line.at();
  }

  /// `19.61s/it`, `4.00it/s`, `?it/s`. The rate is smoothed, so its value is not used.
  private static void rate(TextLine line) {
    if (!line.skip("?")) {
      line.decimal();
    }
    var slow = line.skip("s/");
    if (!unit(line)) {
      line.fail();
    } else if (!slow) {
      line.expect("/s");
    }
  }

  private static boolean unit(TextLine line) {
    for (var unit : UNITS) {
      if (line.skip(unit)) {
        return true;
      }
    }
    return false;
  }

  private static String description(Text text, int from, int to) {
    var end = Chars.trimEnd(text, from, to);
    if (end > from && text.charAt(end - 1) == ':') {
      end--;
    }
    var start = Chars.skipBlanks(text, from, end);
    return start >= end || end - start > 120 ? "" : text.substring(start, end);
  }

  private static long unknown(TextLine line) {
    line.expect("?");
    return -1;
  }

  /// `3`, or with tqdm's `unit_scale` `1.2k`, `3.40M`.
  private static long count(TextLine line) {
    var from = line.at();
    var whole = line.number();
    var next = line.peek();
    var plain = next == '/' || next == ' ';
    return plain || line.bad() ? whole : scaled(line, from);
  }

  private static long scaled(TextLine line, int from) {
    line.back(from);
    var value = line.decimal();
    if (line.skip("k")) {
      value *= 1e3;
    } else if (line.skip("M")) {
      value *= 1e6;
    } else if (line.skip("G")) {
      value *= 1e9;
    }
    return (long) value;
  }

  /// `00:58` or `94:39:17`, in seconds.
  private static long clock(TextLine line) {
    var seconds = line.number();
    while (line.good() && line.skip(":")) {
      seconds = seconds * 60 + line.number();
    }
    return seconds;
  }
}
