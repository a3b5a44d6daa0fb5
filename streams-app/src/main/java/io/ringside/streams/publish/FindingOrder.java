package io.ringside.streams.publish;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;

/// Orders findings of a job by importance, for reports and the page. While the job runs, findings
/// that hold come before those that ended. Then come the worst, those of the newest run, the most
/// expensive and the oldest. Each cause comes before its effects.
public final class FindingOrder {
  private FindingOrder() {}

  /// @param runs runs of the job
  public static List<Finding> of(Collection<Finding> findings, Collection<RunSummary> runs) {
    var worst = worst(runs);
    boolean goesOn = runs.stream().anyMatch(run -> !run.state().over());
    var order = goesOn ? comparing(Finding::state).thenComparing(worst) : worst;
    return Causes.first(findings.stream().sorted(order).toList());
  }

  private static Comparator<Finding> worst(Collection<RunSummary> runs) {
    var attempts = new HashMap<String, Integer>();
    runs.forEach(run -> attempts.merge(run.run(), run.attempt(), Math::max));
    return comparing(Finding::severity)
        .reversed()
        .thenComparing(
            (Finding finding) -> attempts.getOrDefault(finding.run(), Integer.MAX_VALUE),
            reverseOrder())
        .thenComparing(FindingOrder::gpuSeconds, reverseOrder())
        .thenComparing(FindingOrder::since)
        .thenComparing(Finding::kind)
        .thenComparing(Finding::id);
  }

  private static double gpuSeconds(Finding finding) {
    var gpuSeconds = finding.cost().gpuSeconds();
    return gpuSeconds == null ? 0 : gpuSeconds;
  }

  private static Instant since(Finding finding) {
    var since = finding.since();
    return since == null ? Instant.MAX : since;
  }
}
