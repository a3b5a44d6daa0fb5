package io.ringside.standalone.report;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which attempts of a job died and were made good: the newest one began after them, is at least
/// half as large, made progress that could be judged, did not die, and lasted longer than any that
/// did. One that is younger than an attempt that died may yet die of the same.
///
/// Only attempts that are known to be of one job: those of one namespace of Kubernetes, or those
/// whose lines stand in the same logs. Logs that somebody laid side by side, one that fails and one
/// that does not, are no attempts.
final class MadeGood {
  private MadeGood() {}

  /// Those that died, in the order of their attempts; empty where not all that died was made good.
  ///
  /// @param runs in the order of their attempts
  static List<RunSummary> of(List<RunSummary> runs) {
    var died = runs.stream().filter(run -> run.state() == State.FAILED).toList();
    return !died.isEmpty() && died.stream().allMatch(run -> outlived(run, runs.getLast()))
        ? died
        : List.of();
  }

  /// Whether a later attempt shows that this is over: hardware that was broken may still be.
  static boolean over(Finding finding) {
    return finding.kind() != FindingKind.GPU_ERROR
        && finding.kind() != FindingKind.LINK_DEGRADED
        && finding.kind() != FindingKind.NETWORK_ERRORS;
  }

  private static boolean outlived(RunSummary dead, RunSummary newest) {
    return newest.state() != State.FAILED
        && newest.state() != State.LOST
        && newest.judged()
        && newest.ranksSeen() >= newest.nranks()
        && 2 * newest.nranks() >= dead.nranks()
        && ofOneJob(dead, newest)
        && after(newest.since(), dead.until())
        && lasted(dead)
            .flatMap(shorter -> lasted(newest).filter(longer -> longer.compareTo(shorter) > 0))
            .isPresent();
  }

  private static boolean after(@Nullable Instant since, @Nullable Instant until) {
    return since != null && until != null && !since.isBefore(until);
  }

  private static boolean ofOneJob(RunSummary run, RunSummary other) {
    return !run.namespace().isEmpty() || !Collections.disjoint(run.pods(), other.pods());
  }

  /// Empty where its lines carry no times.
  private static Optional<Duration> lasted(RunSummary run) {
    return run.since() == null || run.until() == null
        ? Optional.empty()
        : Optional.of(Duration.between(run.since(), run.until()));
  }
}
