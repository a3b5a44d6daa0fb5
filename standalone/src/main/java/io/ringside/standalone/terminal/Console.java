package io.ringside.standalone.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.standalone.report.Screen;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Standard output and standard error, in UTF-8 whatever the locale, so that a report survives
/// `LANG=C` in a container.
///
/// @param screen capabilities of the output
/// @param watched whether standard error is a terminal
/// @param typedAt whether standard input is a keyboard
/// @param progress shows progress on standard error
public record Console(
    PrintStream out,
    PrintStream err,
    Screen screen,
    boolean watched,
    boolean typedAt,
    ProgressLine progress) {
  /// Environment variable set by the launcher, which can ask the shell. It contains the words
  /// `stdin`, `stdout` and `stderr` for those that are terminals.
  private static final String TERMINALS = "RINGSIDE_TERMINALS";

  public Console(
      PrintStream out, PrintStream err, Screen screen, boolean watched, boolean typedAt) {
    this(out, err, screen, watched, typedAt, new ProgressLine(err, System::nanoTime, watched));
  }

  /// The console of this process.
  public static Console ofProcess(Map<String, String> environment) {
    var terminals = environment.get(TERMINALS);
    return new Console(
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8),
        Screen.of(environment, isTerminal(terminals, "stdout", 1)),
        isTerminal(terminals, "stderr", 2),
        isTerminal(terminals, "stdin", 0));
  }

  /// The same console with another screen.
  public Console on(Screen other) {
    return new Console(out, err, other, watched, typedAt, progress);
  }

  private static boolean isTerminal(@Nullable String terminals, String name, int descriptor) {
    return terminals == null ? looksLikeTerminal(descriptor) : terminals.contains(name);
  }

  /// Guesses from `/proc`, since Java itself knows only whether both standard input and output are
  /// terminals.
  @SuppressWarnings("SystemConsoleNull") // the two null checkers disagree
  private static boolean looksLikeTerminal(int descriptor) {
    var link = Path.of("/proc/self/fd/" + descriptor);
    try {
      var target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      var console = System.console();
      return console != null && console.isTerminal();
    }
  }
}
