package io.ringside.standalone.report;

import java.util.Objects;

/// A piece of a line in one colour. Control characters in the text are escaped: log lines are data,
/// never commands to a terminal.
public record ColouredText(String text, AnsiColour ink) {
  public ColouredText {
    text = SafeText.of(text);
    Objects.requireNonNull(ink, "ink");
  }

  public static ColouredText plain(String text) {
    return new ColouredText(text, AnsiColour.PLAIN);
  }

  public static ColouredText dim(String text) {
    return new ColouredText(text, AnsiColour.DIM);
  }

  public static ColouredText strong(String text) {
    return new ColouredText(text, AnsiColour.STRONG);
  }

  int length() {
    return text.codePointCount(0, text.length());
  }
}
