package io.ringside.streams.examine;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// The stamp that `dmesg -T` writes: `[Tue Mar  3 04:11:15 2026]`, local time, and off by however
/// long the machine slept. And that of a journal, `Mar 03 04:11:15 node-7 kernel: …`, which leaves
/// out the year, of the service for networks as well.
public final class KernelStamp {
  private static final Pattern STAMP =
      Pattern.compile(
          "\\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\\w{3} +\\d+ \\d\\d:\\d\\d:\\d\\d \\d{4})] ");

  private static final Pattern JOURNAL =
      Pattern.compile(
          "^(\\w{3} +\\d+ \\d\\d:\\d\\d:\\d\\d) [\\w.-]+ (?:kernel|systemd-networkd\\[\\d+]): ");

  private static final Pattern UPTIME = Pattern.compile("^\\[? *(\\d+\\.\\d+)] ");

  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("MMM d HH:mm:ss uuuu", Locale.ENGLISH)
          .withResolverStyle(ResolverStyle.STRICT);

  /// A year for stamps without one.
  private static final Instant ANY = Instant.parse("2024-12-31T00:00:00Z");

  /// Time zones and sleep are far less.
  private static final Duration LONG = Duration.ofDays(2);

  private KernelStamp() {}

  /// When the line was written, its local time read as UTC; empty without such a stamp.
  ///
  /// @param by a journal's line is of the last year in which it is not long after this
  public static Optional<Instant> of(String line, Instant by) {
    var stamp = STAMP.matcher(line);
    if (stamp.find()) {
      return at(stamp.group(1));
    }
    var journal = JOURNAL.matcher(line);
    if (!journal.find()) {
      return Optional.empty();
    }
    int year = by.atOffset(ZoneOffset.UTC).getYear() + 1;
    return IntStream.iterate(year, it -> it > year - 6, it -> it - 1) // a leap day may need four
        .mapToObj(it -> at(journal.group(1) + " " + it))
        .flatMap(Optional::stream)
        .filter(at -> at.isBefore(by.plus(LONG)))
        .findFirst();
  }

  /// Seconds between two lines of one kernel by their stamps, `[ 4443.968257]` too; NaN if these do
  /// not say.
  public static double secondsApart(String line, String later) {
    var from = UPTIME.matcher(line);
    var to = UPTIME.matcher(later);
    if (from.find() && to.find()) {
      return Double.parseDouble(to.group(1)) - Double.parseDouble(from.group(1));
    }
    var one = of(line, ANY);
    var other = of(later, ANY);
    return one.isPresent() && other.isPresent()
        ? Duration.between(one.get(), other.get()).toSeconds()
        : Double.NaN;
  }

  private static Optional<Instant> at(String stamp) {
    try {
      return Optional.of(
          LocalDateTime.parse(stamp.replaceAll(" +", " "), FORM).toInstant(ZoneOffset.UTC));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /// Whether the line was written days before the run began: the node's past, or another machine's.
  public static boolean longBefore(long runNanos, String line) {
    if (runNanos == NO_TIME) {
      return false;
    }
    var began = Nanos.instant(runNanos);
    return of(line, began).filter(at -> at.plus(LONG).isBefore(began)).isPresent();
  }
}
