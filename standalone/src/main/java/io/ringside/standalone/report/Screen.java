package io.ringside.standalone.report;

import java.util.Map;

/// The capabilities of the output.
///
/// @param width columns, 60 to 160
/// @param colour whether to use ANSI colours
/// @param blocks whether to draw bars with block characters; else with `#`
public record Screen(int width, boolean colour, boolean blocks) {
  private static final int DEFAULT_WIDTH = 100;
  private static final int MIN_WIDTH = 60;
  private static final int MAX_WIDTH = 160;

  /// A file or a pipe with the default width.
  public static final Screen PLAIN = new Screen(DEFAULT_WIDTH, false, false);

  public Screen {
    width = Math.clamp(width, MIN_WIDTH, MAX_WIDTH);
  }

  /// Reads `COLUMNS`, `NO_COLOR` (https://no-color.org: any non-empty value) and `TERM`.
  ///
  /// @param terminal whether the output is a terminal
  public static Screen of(Map<String, String> environment, boolean terminal) {
    boolean mute =
        !environment.getOrDefault("NO_COLOR", "").isEmpty()
            || environment.getOrDefault("TERM", "").equals("dumb");
    return new Screen(columns(environment.get("COLUMNS")), terminal && !mute, terminal);
  }

  /// The same screen with or without colours.
  public Screen coloured(boolean wanted) {
    return new Screen(width, wanted, blocks);
  }

  private static int columns(@org.jspecify.annotations.Nullable String value) {
    return value != null && value.matches("[0-9]{1,4}") ? Integer.parseInt(value) : DEFAULT_WIDTH;
  }
}
