package io.ringside.streams.detect.gpu;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The stamp that `dmesg -T` writes: `[Tue Mar  3 04:11:15 2026]`, local time, and off by however long the machine slept.
final class KernelStamp {
  private static final Pattern STAMP =
      Pattern.compile(
          "\\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\\w{3} +\\d+ \\d\\d:\\d\\d:\\d\\d \\d{4})] ");
  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("MMM d HH:mm:ss yyyy", Locale.ENGLISH);

  /// Time zones and sleep are far less.
  private static final Duration LONG = Duration.ofDays(2);

  private KernelStamp() {}

  /// When the line was written, its local time read as UTC; empty without such a stamp.
  static Optional<Instant> of(String line) {
    var stamp = STAMP.matcher(line);
    if (!stamp.find()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          LocalDateTime.parse(stamp.group(1).replaceAll(" +", " "), FORM)
              .toInstant(ZoneOffset.UTC));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /// Whether the line was written days before the run began: the node's past, or another machine's.
  static boolean longBefore(long runNanos, String line) {
    return runNanos != NO_TIME
        && of(line).filter(at -> at.plus(LONG).isBefore(Nanos.instant(runNanos))).isPresent();
  }
}
