package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.TextLine;

/// The last word of a process whose C or C++ code asserts what is not so:
/// ``train: src/queue.cc:71: void Queue::push(): Assertion `size < capacity' failed.`` (glibc's
/// assert/assert.c), before it aborts itself. What a GPU's kernel asserts ends otherwise.
public final class AbortLine {
  private static final String END = "' failed.";

  private AbortLine() {}

  /// Whether the range may be such a line.
  public static boolean is(Text text, int from, int end) {
    return end - from > END.length()
        && text.charAt(end - 1) == '.'
        && text.startsWith(END, end - END.length());
  }

  /// Reads it, given the cursor at its first byte.
  public static boolean read(TextLine line) {
    var text = line.text();
    int from = line.at();
    int program = Chars.find(text, from, line.end(), ": ");
    int blank = Chars.find(text, from, line.end(), ' ');
    int says = Chars.find(text, from, line.end(), ": Assertion `");
    if (program < 0 || blank != program + 1 || says < program || !isPlace(text, from, says)) {
      return false;
    }
    return line.emit(
        new FailureEvent.Raised(
            line.rank(),
            "SIGABRT",
            ExceptionLine.message(text, from, line.end()),
            null,
            FailureEvent.Chain.TRACED));
  }

  /// Whether a file and a line are named before what is asserted.
  private static boolean isPlace(Text text, int from, int says) {
    for (int at = Chars.find(text, from, says, ':');
        at >= 0;
        at = Chars.find(text, at + 1, says, ':')) {
      int digits = Chars.skipDigits(text, at + 1, says);
      if (digits > at + 1 && (digits == says || text.charAt(digits) == ':')) {
        return true;
      }
    }
    return false;
  }
}
