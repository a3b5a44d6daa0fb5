package io.ringside.streams.topology;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.State;
import org.jspecify.annotations.Nullable;

/// What stays told of a run that is over: how it ended, although the next attempt goes on in the
/// same files.
final class SettledResults {
  private SettledResults() {}

  /// The run as it is judged; one that failed or was stopped has not just been superseded, and what
  /// is said of all lines of the job changes no run that is over, until it is judged for the last
  /// time.
  static RunSummary settled(@Nullable RunSummary known, RunSummary run, boolean last) {
    if (known == null || !known.state().over() || !run.state().over()) {
      return run;
    }
    boolean died = known.state() == State.FAILED || known.state() == State.STOPPED;
    var settled = run.state() == State.SUPERSEDED && died ? run.in(known.state()) : run;
    var alike =
        settled.with(
            its -> {
              its.reading = known.reading();
              its.notJudged = known.notJudged();
            });
    return !last && alike.equals(known) ? known : settled;
  }

  /// The finding as it is judged; of a run that is over it speaks of the lines that were known when
  /// it ended.
  static Finding settled(@Nullable Finding known, Finding finding) {
    return known != null
            && known.kind() == FindingKind.UNPARSED_LINES
            && known.state().over()
            && finding.state().over()
        ? finding.with(
            its -> {
              its.summary = known.summary();
              its.observed = known.observed();
              its.evidence = known.evidence();
            })
        : finding;
  }

  /// What remains of a finding that nobody claims any more: how its run ended, and what it hung in.
  ///
  /// @param over its run, null if that goes on
  /// @param cameBack whether that went on after it: then it was no hang, whenever somebody looked
  static @Nullable Finding atTheEnd(
      @Nullable Finding known, @Nullable RunSummary over, boolean cameBack) {
    if (known == null || over == null) {
      return null;
    }
    boolean stays =
        known.kind() == FindingKind.JOB_FAILED || known.kind() == FindingKind.HANG && !cameBack;
    if (!stays || known.state().over()) {
      return stays ? known : null;
    }
    var since = known.since();
    var end = over.until();
    return known.with(
        its -> {
          its.state = Finding.State.CLEARED;
          its.until = end != null && since != null && end.isBefore(since) ? since : end;
        });
  }
}
