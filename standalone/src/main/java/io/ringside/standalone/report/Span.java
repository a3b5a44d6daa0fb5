package io.ringside.standalone.report;

import java.util.Objects;

/// A piece of a line in one colour. Control characters in the text are escaped: log lines are data,
/// never commands to a terminal.
public record Span(String text, Ink ink) {
  public Span {
    text = SafeText.of(text);
    Objects.requireNonNull(ink, "ink");
  }

  public static Span plain(String text) {
    return new Span(text, Ink.PLAIN);
  }

  public static Span dim(String text) {
    return new Span(text, Ink.DIM);
  }

  public static Span strong(String text) {
    return new Span(text, Ink.STRONG);
  }

  int length() {
    return text.codePointCount(0, text.length());
  }
}
