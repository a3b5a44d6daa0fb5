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

/// Finds the attempts of a job that died and were made good. For this the newest attempt must have
/// begun after them, be at least half as large, have made progress that could be judged, not have
/// died, and have lasted longer than any that did. A younger attempt may still die of the same
/// cause.
///
/// Considers only attempts known to be of one job: those in one Kubernetes namespace, or those
/// whose lines are in the same logs. Unrelated logs saved side by side, one that fails and one that
/// does not, are not attempts.
final class RecoveredAttempts {
  private RecoveredAttempts() {}

  /// The attempts that died, in order; empty if any of them was not made good.
  ///
  /// @param runs sorted by attempt
  static List<RunSummary> of(List<RunSummary> runs) {
    var died = runs.stream().filter(run -> run.state() == State.FAILED).toList();
    return !died.isEmpty() && died.stream().allMatch(run -> outlived(run, runs.getLast()))
        ? died
        : List.of();
  }

  /// Whether a later attempt shows that this finding is over. Broken hardware may still be broken.
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

  /// Duration of the run, empty if its lines have no times.
  private static Optional<Duration> lasted(RunSummary run) {
    return run.since() == null || run.until() == null
        ? Optional.empty()
        : Optional.of(Duration.between(run.since(), run.until()));
  }
}
