package io.ringside.streams.judge;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.job.Ending;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Run;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How a run ended, given all findings about it, and what the end does to them: findings about a
/// finished run no longer hold. Used for runs watched live; in a recording everything is over.
record RunEnd(RunSummary.State state, @Nullable Instant at) {
  /// A run that continues for this many nanoseconds after a failure did not die of it.
  private static final long GOES_ON_NANOS = 10_000_000_000L;

  /// @param line the run's summary, made before its findings
  static RunEnd of(JobState job, Run run, RunSummary line, List<Finding> found) {
    var death =
        found.stream()
            .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
            .filter(finding -> !ofAnother(finding))
            .filter(finding -> !goesOn(run, finding.since()))
            .findFirst();
    if (death.isPresent()) {
      var state =
          death.get().severity() == Severity.INFO
              ? RunSummary.State.STOPPED
              : RunSummary.State.FAILED;
      return new RunEnd(state, last(death.get().since(), line.until()));
    }
    var at = job.ending(run).map(Ending::atNanos).filter(nanos -> nanos != NO_TIME);
    return new RunEnd(line.state(), at.map(Nanos::instant).orElse(line.until()));
  }

  /// Whether the finding is a note about a process that came before the run. A note about a
  /// requested end of the run itself is not meant.
  private static boolean ofAnother(Finding finding) {
    var failureClass = finding.failureClass();
    return finding.severity() == Severity.INFO && failureClass != null && !failureClass.wanted();
  }

  private static boolean goesOn(Run run, @Nullable Instant death) {
    return death != null
        && run.progressNanos() != NO_TIME
        && run.progressNanos() > Nanos.of(death) + GOES_ON_NANOS;
  }

  private static @Nullable Instant last(@Nullable Instant death, @Nullable Instant line) {
    return death == null ? line : death;
  }

  /// Time when the run last existed: it may die long after its last step.
  @Nullable Instant until(RunSummary line) {
    var last = line.until();
    boolean died = state == RunSummary.State.FAILED || state == RunSummary.State.STOPPED;
    return died && at != null && last != null && at.isAfter(last) ? at : last;
  }

  /// The finding as of the end of the run.
  Finding clear(Finding finding) {
    if (!state.over() || finding.state().over()) {
      return finding;
    }
    var since = finding.since();
    var until = at != null && since != null && at.isBefore(since) ? since : at;
    return finding.with(
        its -> {
          its.state = Finding.State.CLEARED;
          its.until = Optional.ofNullable(finding.until()).orElse(until);
        });
  }
}
