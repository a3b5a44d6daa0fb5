package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// GPUs that DCGM's health watch says are throttled for heat (DCGM 3.1 to 4.4,
/// dcgmlib/src/dcgm_errors.c). It says so once a minute has had violations, so one such line is
/// enough.
final class DcgmHealth {
  private static final Pattern HEAT =
      Pattern.compile("Detected clock.{1,20} due to thermal violation in GPU (\\d{1,3})");

  private DcgmHealth() {}

  static List<Finding> findings(Examination examination) {
    var byGpu = new TreeMap<Integer, List<Evidence>>();
    for (var sign : examination.run().failures().signs()) {
      if (sign.event() instanceof FailureEvent.DriverSaid(var words)) {
        var heat = HEAT.matcher(words);
        if (heat.find()) {
          byGpu
              .computeIfAbsent(Integer.valueOf(heat.group(1)), _ -> new ArrayList<>())
              .add(sign.line());
        }
      }
    }
    var findings = new ArrayList<Finding>();
    byGpu.forEach((gpu, lines) -> findings.add(finding(gpu, lines, examination)));
    return findings;
  }

  private static Finding finding(int gpu, List<Evidence> lines, Examination examination) {
    return hot(
        "dcgm " + gpu,
        "GPU %d is throttled for heat, says DCGM".formatted(gpu),
        "DCGM's health watch warns of thermal violations",
        lines,
        examination);
  }

  /// Of a GPU that DCGM finds too hot.
  static Finding hot(
      String subject,
      String summary,
      String observed,
      List<Evidence> lines,
      Examination examination) {
    var draft =
        FindingDraft.about(FindingKind.GPU_THROTTLED, Severity.WARNING, examination, List.of())
            .subject(subject)
            .summary(summary)
            .expected("no thermal violation")
            .observed(observed)
            .cause("the GPU is too hot: look at fans, airflow and its neighbours");
    lines.stream().limit(4).forEach(draft::proof);
    return draft.finding();
  }
}
