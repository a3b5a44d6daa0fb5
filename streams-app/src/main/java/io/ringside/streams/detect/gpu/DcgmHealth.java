package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.FailureEvent.GpuFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Finds GPUs that fail according to DCGM's health watch (dcgmi/Health.cpp), or are throttled for
/// heat (DCGM 3.1 to 4.4, dcgmlib/src/dcgm_errors.c). DCGM reports heat only after a minute with
/// violations, so one such line is enough.
final class DcgmHealth {
  private static final Pattern HEAT =
      Pattern.compile("Detected clock.{1,20} due to thermal violation in GPU (\\d{1,3})");

  /// In bytes.
  private static final int LONGEST_REPORT = 8_000;

  private DcgmHealth() {}

  static List<Finding> findings(Examination examination) {
    var byGpu = new TreeMap<Integer, List<Evidence>>();
    for (var sign : examination.run().failures().signs()) {
      if (sign.event() instanceof FailureEvent.DriverNotice(var words)) {
        var heat = HEAT.matcher(words);
        if (heat.find()) {
          byGpu
              .computeIfAbsent(Integer.valueOf(heat.group(1)), _ -> new ArrayList<>())
              .add(sign.line());
        }
      }
    }
    var findings = new ArrayList<Finding>();
    failing(examination).forEach(sign -> findings.add(failure(sign, examination)));
    byGpu.forEach((gpu, lines) -> findings.add(finding(gpu, lines, examination)));
    return findings;
  }

  /// The last health report of each log, if it shows a failure that no other line describes.
  private static List<Sign> failing(Examination examination) {
    var last = new TreeMap<String, Sign>();
    var signs = examination.run().failures().signs();
    for (var sign : signs) {
      if (sign.event() instanceof GpuFlag flag && flag.flag().equals(GpuFlag.HEALTH)) {
        last.put(sign.source(), sign);
      }
    }
    return last.values().stream()
        .filter(sign -> !systems(sign).isEmpty())
        .filter(sign -> signs.stream().noneMatch(it -> saysMore(it, sign)))
        .toList();
  }

  /// Whether another line of the report says what broke on a GPU.
  private static boolean saysMore(Sign words, Sign failure) {
    return words.event() instanceof FailureEvent.Said said
        && said.ofAGpu()
        && words.source().equals(failure.source())
        && Math.abs(words.line().offset() - failure.line().offset()) < LONGEST_REPORT;
  }

  private static String systems(Sign sign) {
    return ((GpuFlag) sign.event()).value();
  }

  /// DCGM rates heat, power and replays as warnings, so they are not reported here. A failure of
  /// memory means that the GPU can no longer compute, so it is critical.
  private static Finding failure(Sign sign, Examination examination) {
    var systems = systems(sign);
    return FindingDraft.about(
            FindingKind.GPU_ERROR,
            systems.contains("Memory") ? Severity.CRITICAL : Severity.WARNING,
            examination,
            List.of())
        .subject("dcgmi health " + sign.source())
        .summary("DCGM's health watch reports a failure: " + systems)
        .expected("dcgmi health finds every GPU healthy")
        .observed(systems)
        .cause(
            "what the report says below the row: drain the node, reset the GPU and run dcgmi diag")
        .tryNow("dcgmi diag -r 3")
        .proof(sign.line())
        .finding();
  }

  private static Finding finding(int gpu, List<Evidence> lines, Examination examination) {
    return hot(
        "dcgm " + gpu,
        "GPU %d is throttled for heat, says DCGM".formatted(gpu),
        "DCGM's health watch warns of thermal violations",
        lines,
        examination);
  }

  /// Finding for a GPU that is too hot according to DCGM.
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
