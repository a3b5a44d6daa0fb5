package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;

/// Shapes and readers of lines that state what went wrong.
final class Statements {
  private static final int LONGEST_WORDS = 240;

  private Statements() {}

  /// A line that states what went wrong.
  static Shape<TextLine> saying(FailureClass failureClass, String text, String of) {
    return Shape.of(text, of, line -> said(line, failureClass));
  }

  static boolean said(TextLine line, FailureClass failureClass) {
    return line.emit(new FailureEvent.Said(line.rank(), failureClass, shortened(line.rest())));
  }

  /// Reads a statement that follows the name of its program.
  static boolean said(TextLine line, String speaker, FailureClass failureClass) {
    line.expect(speaker);
    return line.good() && said(line, failureClass);
  }

  /// Reads a line that does not prove an end by itself.
  static boolean aside(TextLine line) {
    return line.emit(new FailureEvent.DriverNotice(shortened(line.rest())));
  }

  static String shortened(String words) {
    return words.length() <= LONGEST_WORDS ? words : words.substring(0, LONGEST_WORDS - 1) + "…";
  }
}
