package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.detect.failure.Deaths;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.UnmatchedTransfers;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Run;
import io.ringside.streams.parse.event.FailureEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/// Ranks that wait in one call for long while the rank that they wait for still prints: an endless
/// generation, a loop over a file that never comes. The log is not silent, so its own lines show
/// how long the wait lasts. If all ranks were silent until somebody or a time limit ended the job,
/// the last lines show it.
///
/// @param since time of the last call of any rank
record WaitingRanks(Instant since, Duration length) {
  /// Delay of a step's line: a line that comes this late may belong to a step made before the last
  /// call.
  private static final long LAST_STEP_NANOS = 5_000_000_000L;

  /// The wait until the run's newest line, or until it was ended from outside; empty if the run
  /// finished, or works without making a call.
  static Optional<WaitingRanks> of(Examination examination) {
    var run = examination.run();
    if (run.done() || run.failures().told() && stoppedAt(run) == NO_TIME) {
      return Optional.empty();
    }
    var exchanges = UnmatchedTransfers.of(run);
    boolean unmet = exchanges.stand() && examination.job().spliced() == 0;
    if (!inOneCall(run) && !unmet) {
      return Optional.empty();
    }
    long last = Math.max(run.lastCallNanos(), exchanges.lastNanos());
    long newest = run.failures().told() ? stoppedAt(run) : examination.newestLineNanos();
    if (last == NO_TIME || newest <= last || run.progressNanos() > last + LAST_STEP_NANOS) {
      return Optional.empty();
    }
    return Optional.of(new WaitingRanks(Nanos.instant(last), Duration.ofNanos(newest - last)));
  }

  /// When the run was asked to end, in Unix epoch nanoseconds; NO_TIME if it failed by itself
  /// before that.
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
