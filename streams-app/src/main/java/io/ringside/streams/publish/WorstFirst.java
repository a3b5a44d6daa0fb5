package io.ringside.streams.publish;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;

import io.ringside.schemas.event.Finding;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Which finding of a job matters most, in reports as on the page: while the job goes on what holds comes before what ended;
/// then the worst, the costliest and the oldest. Each cause comes before what follows from it.
public final class WorstFirst {
  private static final Comparator<Finding> WORST =
      comparing(Finding::severity)
          .reversed()
          .thenComparing(WorstFirst::gpuSeconds, reverseOrder())
          .thenComparing(WorstFirst::since)
          .thenComparing(Finding::kind)
          .thenComparing(Finding::id);

  private WorstFirst() {}

  /// @param goesOn whether any run of the job is not over
  public static List<Finding> of(Collection<Finding> findings, boolean goesOn) {
    var order = goesOn ? comparing(Finding::state).thenComparing(WORST) : WORST;
    return Causes.first(findings.stream().sorted(order).toList());
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
