package io.ringside.streams.detect.failure;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Run;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;
import java.util.regex.Pattern;

/// Converts the times of files that dying processes write, torchrun's `error.json`, to the clock of
/// the run's other lines. Such a file counts seconds of UTC. Loggers write local time without its
/// zone, so two lines of the same moment may be hours apart.
final class RecordedErrors {
  private static final String RECORDED = "torchelastic: a process raised ";

  /// Zones are quarters of an hour apart, from UTC-12 to UTC+14.
  private static final long QUARTER_NANOS = 900_000_000_000L;

  private static final long HOUR_NANOS = 4 * QUARTER_NANOS;
  private static final long LEAST_NANOS = -12 * HOUR_NANOS;
  private static final long MOST_NANOS = 14 * HOUR_NANOS;

  /// Tolerance: a run's first lines may have no time, and a process may die before its peers' next
  /// step.
  private static final long EARLY_NANOS = 60_000_000_000L;

  /// A line's own timestamp, with its zone if it names one.
  private static final Pattern STAMP =
      Pattern.compile(
          "^.{0,60}?\\b\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(Z|[+-]\\d\\d:?\\d\\d)?");

  private RecordedErrors() {}

  /// The same signs, with the times of `error.json` moved to the run's clock. This happens only if
  /// no line shows the zone and the time does not lie within the run. The zone follows from the run
  /// itself: its processes died after its last step.
  static List<Sign> inTimeOf(Run run, List<Sign> signs) {
    boolean zoned = signs.stream().filter(sign -> !isOf(sign)).anyMatch(RecordedErrors::inUtc);
    if (zoned || lastNanos(run) == NO_TIME || signs.stream().noneMatch(RecordedErrors::isOf)) {
      return signs;
    }
    return signs.stream().map(sign -> isOf(sign) ? near(sign, run) : sign).toList();
  }

  /// Whether the line comes from an `error.json`.
  static boolean isOf(Sign sign) {
    return sign.event() instanceof FailureEvent.Raised raised
        && raised.chain() == FailureEvent.Chain.LOGGED
        && sign.line().text().contains(RECORDED);
  }

  /// Whether it is from before the run: the file may be left over from an earlier run.
  static boolean before(Sign sign, Run run) {
    return sign.atNanos() != NO_TIME
        && run.firstNanos() != NO_TIME
        && sign.atNanos() < run.firstNanos() - EARLY_NANOS;
  }

  /// Words about an `error.json` that is left out because of its time; empty if there is none.
  static String leftOut(Run run) {
    return inTimeOf(run, run.failures().signs()).stream()
        .filter(RecordedErrors::isOf)
        .filter(sign -> before(sign, run))
        .findFirst()
        .map(
            sign ->
                "; an error.json of %s is taken to be of a run before"
                    .formatted(Nanos.instant(sign.atNanos())))
        .orElse("");
  }

  /// Whether the line's time is UTC: its timestamp names a zone, or the container runtime added the
  /// time.
  private static boolean inUtc(Sign sign) {
    if (sign.atNanos() == NO_TIME) {
      return false;
    }
    var stamp = STAMP.matcher(sign.line().text());
    return !stamp.find() || stamp.group(1) != null;
  }

  /// Time of the run's last progress, else of its beginning.
  private static long lastNanos(Run run) {
    return run.progressNanos() == NO_TIME ? run.firstNanos() : run.progressNanos();
  }

  private static Sign near(Sign sign, Run run) {
    long at = sign.atNanos();
    long from = lastNanos(run) - EARLY_NANOS;
    if (at == NO_TIME || !before(sign, run) && at < from + HOUR_NANOS) {
      return sign;
    }
    long shift = Math.ceilDiv(from - at, QUARTER_NANOS) * QUARTER_NANOS;
    return shift < LEAST_NANOS || shift > MOST_NANOS ? sign : sign.at(at + shift);
  }
}
