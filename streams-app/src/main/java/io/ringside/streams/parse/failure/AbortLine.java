package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.stream.Stream;

/// The last line of a process that aborts itself. Either an assertion of its C or C++ code fails,
/// ``train: src/queue.cc:71: void Queue::push(): Assertion `size < capacity' failed.`` (glibc's
/// assert/assert.c; an assertion in a GPU kernel ends differently), or glibc finds corrupted
/// memory, `free(): double free detected in tcache 2` (malloc/malloc.c, debug/fortify_fail.c).
public final class AbortLine {
  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      Stream.of(
              "double free or corruption (*",
              "free(): double free detected in tcache*",
              "free(): invalid pointer*",
              "free(): invalid size*",
              "free(): invalid next size (*",
              "free(): corrupted unsorted chunks*",
              "free(): unaligned chunk detected in tcache*",
              "malloc(): corrupted top size*",
              "malloc(): memory corruption*",
              "malloc(): invalid size (unsorted)*",
              "malloc(): invalid next size (unsorted)*",
              "malloc(): mismatching next->prev_size (unsorted)*",
              "malloc(): unsorted double linked list corrupted*",
              "malloc(): unaligned tcache chunk detected*",
              "malloc(): unaligned fastbin chunk detected*",
              "malloc(): smallbin double linked list corrupted*",
              "malloc(): largebin double linked list *corrupted*",
              "malloc_consolidate(): invalid chunk size*",
              "malloc_consolidate(): unaligned fastbin chunk detected*",
              "munmap_chunk(): invalid pointer*",
              "realloc(): invalid pointer*",
              "realloc(): invalid old size*",
              "realloc(): invalid next size*",
              "corrupted size vs. prev_size*",
              "corrupted double-linked list*")
          .map(text -> Shape.<TextLine>of(text, "glibc", AbortLine::spoilt))
          .toList();

  /// Messages after three asterisks: writes beyond the end of a buffer, and up to glibc 2.25 all
  /// messages of malloc.
  private static final List<String> OVERRUN =
      List.of(
          "*** stack smashing detected ***", "*** buffer overflow detected ***", "*** Error in `");

  private static final String END = "' failed.";

  /// In chars. Messages of glibc are short, while prose that begins like them may be long.
  private static final int LONGEST = 200;

  private AbortLine() {}

  /// Whether the range may be such a line.
  public static boolean is(Text text, int from, int end) {
    return end - from > END.length()
        && text.charAt(end - 1) == '.'
        && text.startsWith(END, end - END.length());
  }

  /// Reads such a line, given the cursor at its first byte.
  public static boolean read(TextLine line) {
    var text = line.text();
    int from = line.at();
    int program = Chars.find(text, from, line.end(), ": ");
    int blank = Chars.find(text, from, line.end(), ' ');
    int says = Chars.find(text, from, line.end(), ": Assertion `");
    if (program < 0 || blank != program + 1 || says < program || !isPlace(text, from, says)) {
      return false;
    }
    return aborts(line, from);
  }

  private static boolean spoilt(TextLine line) {
    return line.end() - line.at() <= LONGEST && aborts(line, line.at());
  }

  /// Reads `*** stack smashing detected ***: terminated`, given the cursor at its first byte. The
  /// cursor stays there if the line is another one.
  public static boolean overrun(TextLine line) {
    for (var words : OVERRUN) {
      if (Chars.at(line.text(), line.at(), line.end(), words)) {
        return spoilt(line);
      }
    }
    return false;
  }

  /// Reads what a logger of C++ code prints before it ends its process: glog, Abseil and TensorFlow
  /// do so after each line of the severity `F` (`LOG(FATAL)`, `CHECK`).
  public static boolean fatal(TextLine line) {
    return line.fatal() && aborts(line, line.at());
  }

  private static boolean aborts(TextLine line, int from) {
    return line.emit(
        new FailureEvent.Raised(
            line.rank(),
            "SIGABRT",
            ExceptionLine.message(line.text(), from, line.end()),
            null,
            FailureEvent.Chain.TRACED));
  }

  /// Whether a file and a line number precede the assertion.
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
