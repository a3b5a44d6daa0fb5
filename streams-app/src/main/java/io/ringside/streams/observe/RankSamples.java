package io.ringside.streams.observe;

import io.ringside.schemas.event.RunSummary.RankWait;
import io.ringside.streams.publish.Job;
import java.util.Comparator;
import java.util.Objects;

/// The ranks that cost their job the most, and only those: a job may have sixteen thousand.
final class RankSamples {
  private static final Comparator<RankWait> WORST_FIRST =
      Comparator.comparingDouble(RankWait::blamedSeconds)
          .reversed()
          .thenComparingInt(RankWait::rank);

  private RankSamples() {}

  /// Adds the worst ranks.
  ///
  /// @return how many ranks with blame were left out
  static int add(Samples samples, Job job, int top) {
    var blamed =
        job.current().stream()
            .flatMap(run -> run.waits().ranks().stream())
            .filter(rank -> rank.blamedSeconds() > 0)
            .sorted(WORST_FIRST)
            .toList();
    for (var rank : blamed.stream().limit(top).toList()) {
      samples.put(
          Metric.BLAMED_SECONDS,
          rank.blamedSeconds(),
          job.key().cluster(),
          job.key().job(),
          Integer.toString(rank.rank()),
          rank.node(),
          rank.pod(),
          Objects.requireNonNullElse(rank.gpu(), ""));
    }
    return Math.max(0, blamed.size() - top);
  }
}
