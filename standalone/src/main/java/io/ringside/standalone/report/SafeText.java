package io.ringside.standalone.report;

/// Escapes text so that a terminal shows it and does not obey it.
public final class SafeText {
  private SafeText() {}

  /// The text with all characters escaped that could move the cursor, change colours, or hide or
  /// reorder other text: C0, C1, DEL, line and paragraph separators, bidirectional controls,
  /// zero-width characters and lone surrogates. A tab becomes one space.
  public static String of(String text) {
    if (text.codePoints().noneMatch(SafeText::unsafe)) {
      return text;
    }
    var safe = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (c == '\t') {
                safe.append(' ');
              } else if (!unsafe(c)) {
                safe.appendCodePoint(c);
              } else if (c <= 0xff) {
                safe.append("\\x%02x".formatted(c));
              } else {
                safe.append("\\u%04x".formatted(c));
              }
            });
    return safe.toString();
  }

  private static boolean unsafe(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
