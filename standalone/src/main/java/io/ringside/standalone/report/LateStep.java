package io.ringside.standalone.report;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.RankWait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One call of a straggler as its proof shows it: who waited since when, and when the late rank came.
///
/// @param operation such as `ReduceScatter`, empty where the line does not say
/// @param since when the waiting rank called
/// @param waiter whose line is the last one before the late rank's
/// @param seconds by which the late rank came after it
record LateStep(
    String operation, Instant since, int waiter, Evidence arriving, int late, double seconds) {
  private static final Pattern OPERATION = Pattern.compile("NCCL INFO (\\w+): opCount");

  /// Stamps are those of the lines: where two machines' clocks are further apart than this many usual waits, they tell
  /// of the clocks and are not shown. Verdicts go by corrected clocks.
  private static final double MOST_USUAL = 3;

  /// The late calls among a straggler's proof, by time.
  static List<LateStep> of(Finding finding, @Nullable RunSummary run, RankNames names) {
    if (run == null || finding.kind() != FindingKind.STRAGGLER) {
      return List.of();
    }
    record Call(Evidence line, Instant at, int rank) {}
    var calls = new ArrayList<Call>();
    for (var line : finding.evidence()) {
      var rank = names.of(finding, line);
      var at = line.time();
      if (at != null && rank.isPresent()) {
        calls.add(new Call(line, at, rank.getAsInt()));
      }
    }
    calls.sort(Comparator.comparing(Call::at));
    var steps = new ArrayList<LateStep>();
    for (int i = 1; i < calls.size(); i++) {
      var before = calls.get(i - 1);
      var call = calls.get(i);
      if (finding.ranks().contains(call.rank()) && !finding.ranks().contains(before.rank())) {
        double seconds = Duration.between(before.at(), call.at()).toNanos() / 1e9;
        if (likely(seconds, call.rank(), run)) {
          var operation = OPERATION.matcher(call.line().text());
          steps.add(
              new LateStep(
                  operation.find() ? operation.group(1) : "",
                  before.at(),
                  before.rank(),
                  call.line(),
                  call.rank(),
                  seconds));
        }
      }
    }
    return steps;
  }

  private static boolean likely(double seconds, int late, RunSummary run) {
    double usual =
        run.waits().ranks().stream()
            .filter(each -> each.rank() == late && each.lastRounds() > 0)
            .mapToDouble(LateStep::usual)
            .findFirst()
            .orElse(0);
    return seconds > usual / MOST_USUAL && seconds < usual * MOST_USUAL;
  }

  private static double usual(RankWait wait) {
    return wait.blamedSeconds() / wait.lastRounds();
  }

  /// `+120 ms after rank 2`.
  String after() {
    return "+%s after rank %d".formatted(Figures.seconds(seconds), waiter);
  }
}
