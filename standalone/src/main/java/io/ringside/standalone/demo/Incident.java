package io.ringside.standalone.demo;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.time.Duration;
import java.util.List;

/// A real incident, and the finding expected from Ringside.
///
/// @param story for the viewer, one sentence
/// @param job the job's name in the recording
/// @param logs one log per pod
/// @param gpus recording of nvidia-smi beside the job, below `/recordings/`; empty if there is none
/// @param lineGap for logs without timestamps: time between their lines when played
/// @param ranks global ranks that the finding must name; empty if any will do
record Incident(
    String title,
    String story,
    String job,
    List<PodLog> logs,
    String gpus,
    Duration lineGap,
    FindingKind expected,
    Severity atLeast,
    List<Integer> ranks) {

  /// The incidents in the order of the demo. The files are described in
  /// examples/recordings/README.md.
  static final List<Incident> ALL =
      List.of(
          new Incident(
              "EFA falls back to TCP sockets",
              "Four g6e.8xlarge nodes were to train over EFA. This is what rank 0 printed.",
              "llama-3-8b",
              List.of(
                  new PodLog(
                      "seed-g6e-efa-fallback/llama-3-8b-node-0-0.log.gz",
                      "training_llama-3-8b-node-0-0_0b3c7d1e-52a4-4b1e-9a57-3f2c8d6e1a90")),
              "",
              Duration.ofMillis(20),
              FindingKind.EFA_FALLBACK,
              Severity.CRITICAL,
              List.of()),
          new Incident(
              "One slow rank holds up seven others",
              "Eight H200 in two pods. From step 120 on, one rank comes 120 ms late to every step.",
              "llama-c",
              List.of(
                  slowcoll("training_llama-c-node-0-0_170863c0-cd69-4480-a356-ff14af035260"),
                  slowcoll("training_llama-c-node-0-1_7039b740-225b-40a6-879b-b928c3847297")),
              "slowcoll/nvidia-smi.csv.gz",
              Duration.ZERO,
              FindingKind.STRAGGLER,
              Severity.WARNING,
              List.of(6)),
          new Incident(
              "A job that stands still",
              "Four H200 in one pod. Rank 2 stops before step 80; the watchdogs of the others give up.",
              "wdtp",
              List.of(
                  new PodLog(
                      "watchdoggroups/pods/training_wdtp-node-0-0_38b81c17-9640-42c0-bbb1-950d1775398c/trainer/0.log.gz",
                      "training_wdtp-node-0-0_38b81c17-9640-42c0-bbb1-950d1775398c")),
              "",
              Duration.ZERO,
              FindingKind.HANG,
              Severity.CRITICAL,
              List.of(2)));

  Incident {
    logs = List.copyOf(logs);
    ranks = List.copyOf(ranks);
  }

  private static PodLog slowcoll(String pod) {
    return new PodLog("slowcoll/pods/" + pod + "/trainer/0.log.gz", pod);
  }

  /// Whether this is the incident's main finding, even if its severity is still too low.
  boolean isAbout(Finding finding) {
    return finding.job().equals(job) && finding.kind() == expected;
  }

  /// Whether this finding fulfils what the incident expects.
  boolean isMetBy(Finding finding) {
    return isAbout(finding)
        && finding.severity().compareTo(atLeast) >= 0
        && (ranks.isEmpty() || finding.ranks().equals(ranks));
  }

  /// A recorded log.
  ///
  /// @param resource below `/recordings/` on the class path
  /// @param folder `<namespace>_<pod>_<uid>`, the pod's folder on a kubelet host
  record PodLog(String resource, String folder) {}
}
