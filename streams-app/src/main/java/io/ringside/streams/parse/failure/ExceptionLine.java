package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.TextLine;
import io.ringside.streams.parse.torch.GroupLines;
import io.ringside.streams.parse.torch.WatchdogLines;

/// The last line of a Python traceback: a dotted name with the ending of an exception's name, then
/// nothing or `: ` and a message. Also the last line of a program that rejects its arguments,
/// `train.py: error: the following arguments are required: --data`. Allocates nothing for other
/// lines.
public final class ExceptionLine {
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_MESSAGE = 300;

  /// Endings of the names of exceptions that matter. Warnings do not.
  private static final String[] ENDS = {
    "Error",
    "Exception",
    "Interrupt",
    "SystemExit",
    "Empty",
    "Exhausted",
    "Timeout",
    "Failure",
    "Abort",
    "ArrowInvalid",
    "BadZipFile",
    "BadGzipFile"
  };

  /// Text that TensorFlow 1 adds to the name (python/framework/errors_impl.py).
  private static final String ABOVE = " (see above for traceback)";

  private static final String REFUSES = ": error: ";

  /// Messages of argparse (CPython's Lib/argparse.py).
  private static final String[] REFUSALS = {
    "argument ",
    "the following arguments are required",
    "unrecognized arguments",
    "ambiguous option"
  };

  private ExceptionLine() {}

  /// Whether the range may be such a line.
  public static boolean is(Text text, int from, int end) {
    return nameEnd(text, from, end) > 0;
  }

  /// Reads such a line, given the cursor at its first byte.
  public static boolean read(TextLine line) {
    var from = line.at();
    var name = nameEnd(line.text(), from, line.end());
    if (name < 0) {
      return false;
    }
    if (Chars.at(line.text(), name, line.end(), REFUSES)) {
      return line.emit(
          new FailureEvent.Said(
              line.rank(),
              FailureClass.CONFIGURATION,
              message(line.text(), name + REFUSES.length(), line.end())));
    }
    var above = Chars.at(line.text(), name, line.end(), ABOVE) ? ABOVE.length() : 0;
    var message = Math.min(line.end(), name + above + 2);
    if (Chars.at(line.text(), message, line.end(), "Traceback (most recent call last):")) {
      return true; // from C++ code (MXNet, TVM): the exception follows its frames
    }
    line.emit(
        new FailureEvent.Raised(
            line.rank(),
            line.text().substring(from, name),
            message(line.text(), message, line.end()),
            null,
            FailureEvent.Chain.LOOSE));
    WatchdogLines.quoted(line, message);
    GroupLines.quoted(line, message);
    return true;
  }

  /// Shortens a long message in its middle, since its end counts as well:
  /// `Command '[…]' died with <Signals.SIGSEGV: 11>.`
  static String message(Text text, int from, int end) {
    return end - from <= LONGEST_MESSAGE
        ? text.substring(from, end).strip()
        : text.substring(from, from + LONGEST_MESSAGE / 2).strip()
            + " … "
            + text.substring(end - LONGEST_MESSAGE / 2, end).strip();
  }

  private static int nameEnd(Text text, int from, int end) {
    var at = from;
    var last = Math.min(end, from + LONGEST_NAME);
    while (at < last && isName(text.charAt(at))) {
      at++;
    }
    var program = at;
    while (program < last && (isName(text.charAt(program)) || text.charAt(program) == '-')) {
      program++;
    }
    if (program > from && Chars.at(text, program, end, REFUSES)) {
      return refuses(text, program + REFUSES.length(), end) ? program : -1;
    }
    if (at == from || at < end && !ends(text, at, end) || Chars.isDigit(text.charAt(from))) {
      return -1;
    }
    if (at - from == 5) {
      return -1; // `Error: …` comes from shells and loggers
    }
    for (var suffix : ENDS) {
      if (at - from >= suffix.length() && text.startsWith(suffix, at - suffix.length())) {
        return at;
      }
    }
    return -1;
  }

  private static boolean refuses(Text text, int from, int end) {
    for (var words : REFUSALS) {
      if (Chars.at(text, from, end, words)) {
        return true;
      }
    }
    return false;
  }

  private static boolean ends(Text text, int at, int end) {
    if (Chars.at(text, at, end, ABOVE)) {
      return ends(text, at + ABOVE.length(), end);
    }
    return at < end && text.charAt(at) == ':' && (at + 1 == end || text.charAt(at + 1) == ' ');
  }

  private static boolean isName(char c) {
    return Chars.isLetter(c) || Chars.isDigit(c) || c == '.' || c == '_';
  }
}
