package io.ringside.standalone.report;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The cost of a finding in words, including what is counted and what it is compared to. A number
/// alone would be mistaken for the bill's, which counts all GPUs of the run. The page uses the same
/// words (told.js).
final class CostWords {
  private static final Set<FindingKind> WAITS =
      EnumSet.of(FindingKind.STRAGGLER, FindingKind.BARRIER_WAIT, FindingKind.LATE_START);

  private static final Set<FindingKind> STEPS =
      EnumSet.of(
          FindingKind.STEP_REGRESSION,
          FindingKind.TRANSPORT_REGRESSION,
          FindingKind.OFFLOAD_MISSING);

  private CostWords() {}

  /// `84 GPU-seconds of waiting; meanwhile the job takes 4.4 times as long as without it`. Empty if
  /// nothing is known.
  static String of(Finding finding) {
    List<String> parts = new ArrayList<>();
    var gpuSeconds = finding.cost().gpuSeconds();
    if (gpuSeconds != null) {
      parts.add(gpuTime(gpuSeconds) + " " + spent(finding.kind()));
    }
    var slowdown = finding.cost().slowdown();
    if (slowdown != null) {
      parts.add(String.format(Locale.ROOT, slower(finding.kind()), slowdown));
    }
    return String.join("; ", parts);
  }

  /// `84 GPU-seconds`, `2.5 GPU-hours`.
  static String gpuTime(double gpuSeconds) {
    return gpuSeconds < 7200
        ? String.format(Locale.ROOT, "%,.0f GPU-seconds", gpuSeconds)
        : String.format(Locale.ROOT, "%,.1f GPU-hours", gpuSeconds / 3600);
  }

  private static String spent(FindingKind kind) {
    if (WAITS.contains(kind)) {
      return "of waiting";
    }
    if (STEPS.contains(kind)) {
      return "of longer steps";
    }
    return kind == FindingKind.HANG ? "of standing still" : "lost";
  }

  private static String slower(FindingKind kind) {
    if (STEPS.contains(kind)) {
      return "steps take %.1f times as long as before";
    }
    return kind == FindingKind.BANDWIDTH_BELOW_EXPECTED
        ? "%.1f times as much bandwidth is expected"
        : "meanwhile the job takes %.1f times as long as without it";
  }
}
