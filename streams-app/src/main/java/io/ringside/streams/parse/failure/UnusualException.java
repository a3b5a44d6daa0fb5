package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.Optional;
import java.util.regex.Pattern;

/// The last line of a traceback whose exception has an unusual name: `queue.Full`,
/// `subprocess.TimeoutExpired: Command …`, `GatedRepo: …`. Only the lines before it show that it is
/// an exception.
public final class UnusualException {
  private static final int LONGEST = 2_000;

  /// A dotted name whose last part is a class or an error of a C module (`zlib.error`,
  /// `socket.timeout`), or the name of a class with two or more words.
  private static final Pattern LINE =
      Pattern.compile(
          "(?:\\[rank(?<rank>\\d{1,6})]: )?"
              + "(?<name>(?:[A-Za-z_]\\w{0,60}\\.){1,8}(?:[A-Z]\\w{0,60}|error|timeout|gaierror|herror)|[A-Z][a-z]\\w{0,60}[a-z][A-Z]\\w{0,60})"
              + "(?:: (?<message>.*))?");

  private UnusualException() {}

  /// Reads such a line; empty if it is another one.
  public static Optional<FailureEvent.Raised> of(Text text, int from, int end) {
    if (from >= end || end - from > LONGEST || !mayBegin(text.charAt(from))) {
      return Optional.empty();
    }
    var line = LINE.matcher(text.substring(from, end).stripTrailing());
    if (!line.matches() || line.group("name").endsWith("Warning")) {
      return Optional.empty();
    }
    var rank = line.group("rank");
    int message = line.start("message"); // in bytes too: the text before it is ASCII
    return Optional.of(
        new FailureEvent.Raised(
            rank == null ? -1 : Integer.parseInt(rank),
            line.group("name"),
            message < 0 ? "" : ExceptionLine.message(text, from + message, end),
            null,
            FailureEvent.Chain.LOOSE));
  }

  private static boolean mayBegin(char c) {
    return c == '[' || c == '_' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
  }
}
