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

/// A log as text whose newest line stands first, as Google's Logs Explorer and other consoles show
/// and copy it: `ERROR 2026-04-05T00:01:19.509Z …`. Told only where no stamp rises: what several
/// programs write has stamps that fall now and then. Not thread-safe.
final class NewestFirst implements Export.Source {
  /// Behind a severity or not; a date without a zone is compared as one of UTC.
  private static final Pattern STAMP =
      Pattern.compile(
          "(?:(?:DEFAULT|DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERGENCY)\\s+)?"
              + "(20\\d\\d-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d:\\d\\d)?)\\s.*");

  /// Fewer may be chance.
  private static final int LEAST_STEPS = 8;

  /// Of all lines so many have a stamp.
  private static final double MOST_STAMPED = 0.5;

  private static final int LONGEST = 1 << 16;

  private final BufferedReader in;
  private @Nullable String ahead;

  NewestFirst(InputStream in) throws IOException {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 64 * 1024);
    this.ahead = this.in.readLine();
  }

  /// Whether the stamps of a text fall, and never rise.
  ///
  /// @param whole whether the text ends with its last line
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
        return false; // most logs, at their second stamp
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

  /// A line with those behind it that have no stamp of their own.
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
