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

  /// Adds how long ranks waited: all of a small job, of a large one those that were waited for the
  /// longest.
  ///
  /// @return how many ranks were left out
  static int addWaits(Samples samples, Job job, int most) {
    var ranks =
        job.current().stream()
            .flatMap(run -> run.waits().ranks().stream())
            .sorted(WORST_FIRST)
            .toList();
    for (var rank : ranks.stream().limit(most).toList()) {
      samples.put(Metric.RANK_WAIT, rank.waitSeconds(), job.key(), Integer.toString(rank.rank()));
    }
    return Math.max(0, ranks.size() - most);
  }

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
          job.key(),
          Integer.toString(rank.rank()),
          rank.node(),
          rank.pod(),
          Objects.requireNonNullElse(rank.gpu(), ""));
    }
    return Math.max(0, blamed.size() - top);
  }
}
