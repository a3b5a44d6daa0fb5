package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;

/// Wrappers of no known launcher, which much prose resembles. They count only if an urgent line
/// follows, such as a time-out or a traceback. Each method returns the index after the wrapper, or
/// the given index if there is none.
///
/// ```text
///   [177/train (pid 28936)] , [composer.utils][INFO] -
///   20:42:26 , 20:42:26.680
///   kernel: , node-7 kernel:       a journal without its host, or without its time
///   ...                            text that somebody left out
///   ^C                             a key as a terminal shows it
///   fa88a9df ||                    a container's id
///   train.node-4 [stderr]          a task and its stream
/// ```
final class UnknownWrappers {
  private static final int LONGEST_BRACKET = 100;
  private static final int LONGEST_CLOCK = 20;
  private static final int LONGEST_ID = 40;
  private static final String STREAM = "[stderr] ";

  private UnknownWrappers() {}

  static int one(Text text, int at, int end) {
    if (end - at < 4) {
      return at;
    }
    var c = text.charAt(at);
    if (c == '[') {
      return bracket(text, at, end);
    }
    if (c == '.' && Chars.at(text, at, end, "... ")) {
      return at + 4;
    }
    if (c == 'k' && Chars.at(text, at, end, "kernel: ")) {
      return at + 8;
    }
    if (c == '^') {
      return Chars.isLetter(text.charAt(at + 1)) ? at + 2 : at;
    }
    if (Chars.isDigit(c) && isClock(text, at, end)) {
      var blank = Chars.find(text, at, Math.min(end, at + LONGEST_CLOCK), ' ');
      return blank < 0 ? at : blank + 1;
    }
    return Chars.isDigit(c) || Chars.isLetter(c) ? barred(text, at, end) : at;
  }

  private static int bracket(Text text, int at, int end) {
    var close = Chars.find(text, at, Math.min(end, at + LONGEST_BRACKET), ']');
    if (close < 0 || close + 1 >= end) {
      return at;
    }
    return switch (text.charAt(close + 1)) {
      case ' ', ':' -> Chars.skipBlanks(text, close + 2, end);
      case '[' -> close + 1;
      default -> at;
    };
  }

  private static boolean isClock(Text text, int at, int end) {
    return end - at > 8
        && Chars.skipDigits(text, at, end) == at + 2
        && text.charAt(at + 2) == ':'
        && Chars.skipDigits(text, at + 3, end) == at + 5
        && text.charAt(at + 5) == ':';
  }

  private static int barred(Text text, int at, int end) {
    var blank = Chars.find(text, at, Math.min(end, at + LONGEST_ID), ' ');
    if (blank < 0) {
      return at;
    }
    if (Chars.at(text, blank + 1, end, "[stderr] ")
        || Chars.at(text, blank + 1, end, "[stdout] ")) {
      return blank + STREAM.length() + 1;
    }
    if (Chars.at(text, blank + 1, end, "kernel: ")) {
      return blank + 9;
    }
    return Chars.at(text, blank + 1, end, "|| ") ? blank + 4 : at;
  }
}
