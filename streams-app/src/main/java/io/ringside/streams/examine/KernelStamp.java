package io.ringside.streams.examine;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.job.Failures.Sign;
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

/// Parses timestamps of kernel lines. `dmesg -T` writes `[Tue Mar  3 04:11:15 2026]` in local time,
/// wrong by as long as the machine slept. A journal writes `Mar 03 04:11:15 node-7 kernel: …`,
/// without a year; so does systemd-networkd.
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

  /// Reference time for stamps without a year.
  private static final Instant ANY = Instant.parse("2024-12-31T00:00:00Z");

  /// Tolerance. Errors from time zones and sleep are far smaller.
  private static final Duration LONG = Duration.ofDays(2);

  private KernelStamp() {}

  /// Time of the line, with its local time read as UTC; empty if it has no such stamp.
  ///
  /// @param by decides the year of a journal's line: the latest year in which the line is not long
  ///   after this
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

  /// Seconds between two lines of one kernel by their stamps, including `[ 4443.968257]`; NaN if a
  /// stamp is missing.
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

  /// Whether the line was written days before the run began: it is about the node's past, or from
  /// another machine.
  public static boolean longBefore(long runNanos, String line) {
    if (runNanos == NO_TIME) {
      return false;
    }
    var began = Nanos.instant(runNanos);
    return of(line, began).filter(at -> at.plus(LONG).isBefore(began)).isPresent();
  }

  /// The same by the line's time as well: the agent takes a stamp such as rsyslog's
  /// `2026-03-03T04:11:15.417815+00:00` off the line if all lines of the file have one.
  public static boolean longBefore(long runNanos, Sign sign) {
    return longBefore(runNanos, sign.line().text())
        || runNanos != NO_TIME
            && sign.atNanos() != NO_TIME
            && sign.atNanos() + LONG.toNanos() < runNanos;
  }
}
