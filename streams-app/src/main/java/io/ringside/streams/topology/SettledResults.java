package io.ringside.streams.topology;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.State;
import org.jspecify.annotations.Nullable;

/// Decides which results of a finished run stay as published: how it ended, although the next
/// attempt continues in the same files.
final class SettledResults {
  private SettledResults() {}

  /// The run as judged, with two exceptions for a run that is over. A failed or stopped run does
  /// not become superseded. And facts about all lines of the job do not change it until it is
  /// judged for the last time.
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

  /// The finding as judged. For a run that is over, a finding about unparsed lines keeps describing
  /// the lines known when the run ended.
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

  /// What remains of a finding that the judge no longer reports. These stay: how its run ended, the
  /// hang that it ended in, and findings proved by lines that the service no longer remembers.
  ///
  /// @param over the finding's run, null if the run continues
  /// @param cameBack whether the run continued after the finding: then it was no hang
  /// @param forgotten whether the finding's lines are from before the job's state was lost: then a
  ///     missing report does not mean that the finding is no longer true
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

  /// Whether the run's start or a single line proves the finding and later lines do not repeat it.
  /// Lasting conditions are seen again as long as they last.
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
