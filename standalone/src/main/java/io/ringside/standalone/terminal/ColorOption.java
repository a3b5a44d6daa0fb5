package io.ringside.standalone.terminal;

import io.ringside.standalone.report.Screen;
import java.util.Locale;
import picocli.CommandLine.Option;

/// The option shared by all commands that print reports.
public final class ColorOption {
  @Option(
      names = "--color",
      paramLabel = "WHEN",
      defaultValue = "auto",
      description = "Colours: auto (on a terminal without NO_COLOR, the default), always, never.")
  private When when = When.AUTO;

  private enum When {
    AUTO,
    ALWAYS,
    NEVER;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// The screen with or without colours, as the user chose.
  public Screen on(Screen screen) {
    return switch (when) {
      case AUTO -> screen;
      case ALWAYS -> screen.coloured(true);
      case NEVER -> screen.coloured(false);
    };
  }
}
