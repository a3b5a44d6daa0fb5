package io.ringside.standalone.report;

/// The colours of the report, as ANSI SGR parameters that are readable on light and dark terminals.
public enum AnsiColour {
  PLAIN(""),
  STRONG("1"),
  DIM("2"),
  GOOD("32"),
  NOTE("36"),
  WARN("33"),
  BAD("1;31");

  private final String sgr;

  AnsiColour(String sgr) {
    this.sgr = sgr;
  }

  /// The text between this ink's escape sequence and a reset.
  String on(String text) {
    return this == PLAIN || text.isEmpty() ? text : "\u001b[" + sgr + "m" + text + "\u001b[0m";
  }
}
