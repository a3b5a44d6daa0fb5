package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.shipper.source.export.Entry.Labels;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads a text log whose newest line comes first, as Google's Logs Explorer and other consoles
/// show and copy it: `ERROR 2026-04-05T00:01:19.509Z …`. Recognised only if no timestamp rises:
/// where several programs write one log, timestamps fall only now and then. Not thread-safe.
final class NewestFirst implements Export.Source {
  /// A timestamp, with or without a severity before it. A time without a zone is compared as UTC.
  private static final Pattern STAMP =
      Pattern.compile(
          "(?:(?:DEFAULT|DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERGENCY)\\s+)?"
              + "(20\\d\\d-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d:\\d\\d)?)\\s.*");

  /// Least number of falling timestamps; fewer may be chance.
  private static final int LEAST_STEPS = 8;

  /// Least share of all lines that must have a timestamp.
  private static final double MOST_STAMPED = 0.5;

  private static final int LONGEST = 1 << 16;

  private final BufferedReader in;
  private @Nullable String ahead;

  NewestFirst(InputStream in) throws IOException {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 64 * 1024);
    this.ahead = this.in.readLine();
  }

  /// Whether the timestamps of a text fall and never rise.
  ///
  /// @param whole whether the last line is complete
  static boolean recognises(String text, boolean whole) {
    long before = NO_TIME;
    int steps = 0;
    int stamped = 0;
    int lines = 0;
    var complete = whole ? text : text.substring(0, text.lastIndexOf('\n') + 1);
    for (var each = complete.lines().iterator(); each.hasNext(); ) {
      var line = each.next();
      lines += line.isBlank() ? 0 : 1;
      long nanos = nanos(line);
      if (nanos == NO_TIME) {
        continue;
      }
      if (before != NO_TIME && nanos > before) {
        return false; // in most logs, at the second timestamp
      }
      steps += before != NO_TIME && nanos < before ? 1 : 0;
      stamped++;
      before = nanos;
    }
    return steps >= LEAST_STEPS && stamped >= MOST_STAMPED * lines;
  }

  private static long nanos(String line) {
    var stamp = STAMP.matcher(line);
    return stamp.lookingAt() ? Times.nanos(stamp.group(1)) : NO_TIME;
  }

  /// A line together with following lines that have no timestamp.
  @Override
  public @Nullable Entry next() throws IOException {
    var first = ahead;
    if (first == null) {
      return null;
    }
    var lines = new StringBuilder(first);
    ahead = in.readLine();
    for (var line = ahead;
        line != null && nanos(line) == NO_TIME && lines.length() < LONGEST;
        line = ahead) {
      lines.append('\n').append(line);
      ahead = in.readLine();
    }
    return new Entry(lines.toString(), nanos(first), Labels.NONE);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
