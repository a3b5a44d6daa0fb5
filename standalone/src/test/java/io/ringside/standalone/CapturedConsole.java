package io.ringside.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.standalone.report.Screen;
import io.ringside.standalone.terminal.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/// A console whose output a test can read. Thread-safe.
public final class CapturedConsole {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          new PrintStream(out, true, UTF_8),
          new PrintStream(err, true, UTF_8),
          Screen.PLAIN,
          false,
          false);

  public Console console() {
    return console;
  }

  public String out() {
    return out.toString(UTF_8);
  }

  public String err() {
    return err.toString(UTF_8);
  }
}
