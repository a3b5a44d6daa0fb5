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

  /// What remains of a finding that nobody claims any more: how its run ended, what it hung in, and
  /// what lines prove that the service does not remember.
  ///
  /// @param over its run, null if that goes on
  /// @param cameBack whether that went on after it: then it was no hang, whenever somebody looked
  /// @param forgotten whether its lines are of before the state of its job was lost: that nobody
  ///     claims it any more does not mean that it is no longer so
  static @Nullable Finding unclaimed(
      @Nullable Finding known, @Nullable RunSummary over, boolean cameBack, boolean forgotten) {
    if (known == null) {
      return null;
    }
    boolean stays = forgotten && provedOnce(known.kind());
    if (over == null) {
      return stays ? known : null;
    }
    stays |= known.kind() == FindingKind.JOB_FAILED;
    stays |= known.kind() == FindingKind.HANG && !cameBack;
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

  /// Whether a run's start or a single line proves it, and later lines do not say it again. What
  /// lasts is seen again as long as it does.
  private static boolean provedOnce(FindingKind kind) {
    return switch (kind) {
      case EFA_FALLBACK,
          NETWORK_FALLBACK,
          SOCKET_TRANSPORT,
          P2P_READ,
          SHM_FALLBACK,
          SPLIT_PLACEMENT,
          PLACEMENT_ADVICE,
          GDR_MISSING,
          OFFLOAD_MISSING,
          GDR_DISAGREEMENT,
          NIC_SHORTFALL,
          TRANSPORT_REGRESSION,
          NCCL_ERROR,
          VERSION_MISMATCH,
          ENV_DRIFT,
          LATE_START,
          JOB_FAILED ->
          true;
      case LINK_DEGRADED,
          NETWORK_ERRORS,
          STRAGGLER,
          BARRIER_WAIT,
          HANG,
          STEP_REGRESSION,
          GPU_THROTTLED,
          GPU_ERROR,
          BANDWIDTH_BELOW_EXPECTED,
          SENSOR_STALLED,
          TELEMETRY_GAP,
          TIMING_UNRELIABLE,
          UNPARSED_LINES ->
          false;
    };
  }
}
