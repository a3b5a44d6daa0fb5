package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Finds what lowers a GPU's clocks, from an `nvidia-smi -q` output that was saved beside the job's
/// lines. A single output does not show how long the slowdown lasts, so the finding is INFO.
final class SavedSlowdowns {
  /// This flag is also set together with each of the two flags that give the reason.
  private static final String HARDWARE = "HW Slowdown";

  private static final Map<String, String> CAUSES =
      Map.of(
          HARDWARE,
          "the GPU's hardware cuts its clocks: heat, its power, or the machine's power brake",
          "HW Thermal Slowdown",
          "the GPU is too hot: look at fans, airflow and its neighbours",
          "SW Thermal Slowdown",
          "the GPU or its memory is at the temperature that the driver holds",
          "HW Power Brake Slowdown",
          "the machine pulls the power brake: look at its power supplies, their cables, and its power limits");

  private SavedSlowdowns() {}

  static List<Finding> findings(Examination examination) {
    var byGpu = new LinkedHashMap<String, Map<String, Sign>>();
    for (var sign : examination.run().failures().signs()) {
      if (sign.event() instanceof FailureEvent.GpuFlag flag && CAUSES.containsKey(flag.flag())) {
        var ofGpu =
            byGpu.computeIfAbsent(sign.source() + " " + flag.busId(), _ -> new LinkedHashMap<>());
        if (flag.value().isEmpty()) {
          ofGpu.remove(flag.flag());
        } else {
          ofGpu.put(flag.flag(), sign);
        }
      }
    }
    var findings = new ArrayList<Finding>();
    byGpu.forEach(
        (gpu, reasons) -> {
          if (reasons.keySet().stream()
              .anyMatch(reason -> reason.startsWith("HW ") && !reason.equals(HARDWARE))) {
            reasons.remove(HARDWARE);
          }
          if (!reasons.isEmpty()) {
            findings.add(finding(gpu, reasons, examination));
          }
        });
    return findings;
  }

  private static Finding finding(String id, Map<String, Sign> reasons, Examination examination) {
    var first = reasons.values().iterator().next();
    var busId = ((FailureEvent.GpuFlag) first.event()).busId();
    var draft =
        FindingDraft.about(
                FindingKind.GPU_THROTTLED,
                Severity.INFO,
                examination,
                SavedGpuFlags.holders(busId, examination))
            .subject("look " + id)
            .summary(
                "%s was throttled when nvidia-smi looked (%s)"
                    .formatted(
                        busId.isEmpty() ? "a GPU" : "GPU " + busId,
                        String.join(", ", reasons.keySet())))
            .expected("no slowdown")
            .observed(
                reasons.keySet().stream()
                    .map(reason -> reason + ": Active")
                    .collect(Collectors.joining(", ")))
            .cause(
                reasons.keySet().stream().map(CAUSES::get).collect(Collectors.joining("; "))
                    + "; look again under load, one look does not tell how long it lasts");
    if (!busId.isEmpty()) {
      draft.gpu(busId);
    }
    reasons.values().stream().limit(4).forEach(sign -> draft.proof(sign.line()));
    return draft.finding();
  }
}
