package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.detect.failure.Deaths;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.Exchanges;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Run;
import io.ringside.streams.parse.event.FailureEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/// Ranks that wait in one call for long while the one that they wait for goes on printing: a
/// generation without end, a loop over a file that never comes. The log is not silent, so its own
/// lines tell how long it lasts; and where all were silent until somebody or a time limit ended the
/// job, those last words do.
///
/// @param since the last call that anybody made
record Standing(Instant since, Duration length) {
  /// Steps that are told after the last call were made before it, by their lines' delay.
  private static final long LAST_STEP_NANOS = 5_000_000_000L;

  /// Until its newest line, or until it was ended from outside; nothing where the run came to its
  /// end, or works without a call.
  static Optional<Standing> of(Examination examination) {
    var run = examination.run();
    if (run.done() || run.failures().told() && stoppedAt(run) == NO_TIME) {
      return Optional.empty();
    }
    var exchanges = Exchanges.of(run);
    boolean unmet = exchanges.stand() && examination.job().spliced() == 0;
    if (!inOneCall(run) && !unmet) {
      return Optional.empty();
    }
    long last = Math.max(run.lastCallNanos(), exchanges.lastNanos());
    long newest = run.failures().told() ? stoppedAt(run) : examination.newestLineNanos();
    if (last == NO_TIME || newest <= last || run.progressNanos() > last + LAST_STEP_NANOS) {
      return Optional.empty();
    }
    return Optional.of(new Standing(Nanos.instant(last), Duration.ofNanos(newest - last)));
  }

  /// When it was asked to end, NO_TIME if it failed by itself before that.
  private static long stoppedAt(Run run) {
    return run.failures().signs().stream()
        .filter(sign -> !(sign.event() instanceof FailureEvent.Reported))
        .min(Comparator.comparingLong(Sign::atNanos))
        .filter(Deaths::askedToEnd)
        .map(Sign::atNanos)
        .orElse(NO_TIME);
  }

  private static boolean inOneCall(Run run) {
    return run.communicators().stream()
        .map(comm -> comm.rounds().standstill())
        .flatMap(Optional::stream)
        .anyMatch(
            standstill ->
                standstill.together() && standstill.missing().size() < standstill.waiting().size());
  }
}
