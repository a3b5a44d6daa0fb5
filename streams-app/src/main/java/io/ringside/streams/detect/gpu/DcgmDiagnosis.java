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
import org.jspecify.annotations.Nullable;

/// Finds GPUs that failed a test of `dcgmi diag` (DCGM 1.7 to 3.3, dcgmi/Diag.cpp), or were too hot
/// during a test. Rows that fail on all GPUs are left out: the driver, CUDA or another program on
/// the node may then be the cause.
final class DcgmDiagnosis {
  private static final Pattern FAILED = Pattern.compile("Fail - GPUs?:? ([\\d, ]{1,300})");

  /// The table may break its lines anywhere. If the GPU is named at the start of a line, its number
  /// is complete.
  private static final Pattern HEAT =
      Pattern.compile("(?:GPU (\\d{1,3}) )?[Tt](?:here were t)?hermal violations totaling");

  private static final Pattern OF_GPU = Pattern.compile("for GPU (\\d{1,3})\\b(?!\\s*\\|)");

  private DcgmDiagnosis() {}

  static List<Finding> findings(Examination examination) {
    var failed = new TreeMap<Integer, List<Evidence>>();
    var hot = new TreeMap<Integer, List<Evidence>>();
    for (var sign : examination.run().failures().signs()) {
      if (sign.event() instanceof FailureEvent.DriverNotice(var words)) {
        var row = FAILED.matcher(words);
        if (row.lookingAt()) {
          for (var gpu : row.group(1).split(",")) {
            failed
                .computeIfAbsent(Integer.valueOf(gpu.strip()), _ -> new ArrayList<>())
                .add(sign.line());
          }
        }
        int gpu = hot(words);
        if (gpu >= 0) {
          hot.computeIfAbsent(gpu, _ -> new ArrayList<>()).add(sign.line());
        }
      }
    }
    var findings = new ArrayList<Finding>();
    failed.forEach((gpu, rows) -> findings.add(failed(gpu, rows, hot.remove(gpu), examination)));
    hot.forEach(
        (gpu, rows) ->
            findings.add(
                DcgmHealth.hot(
                    "dcgmi diag " + gpu,
                    "GPU %d was throttled for heat in DCGM's diagnostics".formatted(gpu),
                    "DCGM's diagnostics warn of thermal violations",
                    rows,
                    examination)));
    return findings;
  }

  /// Index of the GPU that was too hot according to these words, or -1.
  private static int hot(String words) {
    var heat = HEAT.matcher(words);
    if (!heat.lookingAt()) {
      return -1;
    }
    if (heat.group(1) != null) {
      return Integer.parseInt(heat.group(1));
    }
    var of = OF_GPU.matcher(words);
    return of.find() ? Integer.parseInt(of.group(1)) : -1;
  }

  private static Finding failed(
      int gpu, List<Evidence> rows, @Nullable List<Evidence> heat, Examination examination) {
    var draft =
        FindingDraft.about(FindingKind.GPU_ERROR, Severity.WARNING, examination, List.of())
            .subject("dcgmi diag " + gpu)
            .summary("GPU %d fails DCGM's diagnostics".formatted(gpu))
            .expected("dcgmi diag passes on every GPU")
            .observed(
                heat == null
                    ? "a test fails on GPU " + gpu
                    : "a test fails on GPU " + gpu + ", which got too hot in it")
            .cause(
                heat == null
                    ? "what the table says below the row; repeat it with nothing else on the node, then swap the GPU"
                    : "the GPU got too hot: look at fans, airflow and the paste below its cooler")
            .tryNow("dcgmi diag -r 3");
    rows.stream().limit(3).forEach(draft::proof);
    if (heat != null) {
      heat.stream().limit(2).forEach(draft::proof);
    }
    return draft.finding();
  }
}
