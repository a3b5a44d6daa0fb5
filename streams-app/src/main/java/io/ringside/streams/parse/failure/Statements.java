package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;

/// Lines that say by themselves what went wrong.
final class Statements {
  private static final int LONGEST_WORDS = 240;

  private Statements() {}

  /// A line that says by itself what went wrong.
  static Shape<TextLine> saying(FailureClass failureClass, String text, String of) {
    return Shape.of(text, of, line -> said(line, failureClass));
  }

  static boolean said(TextLine line, FailureClass failureClass) {
    return line.emit(new FailureEvent.Said(line.rank(), failureClass, shortened(line.rest())));
  }

  /// What stands behind its speaker's name.
  static boolean said(TextLine line, String speaker, FailureClass failureClass) {
    line.expect(speaker);
    return line.good() && said(line, failureClass);
  }

  /// What proves no end by itself.
  static boolean aside(TextLine line) {
    return line.emit(new FailureEvent.DriverSaid(shortened(line.rest())));
  }

  static String shortened(String words) {
    return words.length() <= LONGEST_WORDS ? words : words.substring(0, LONGEST_WORDS - 1) + "…";
  }
}
