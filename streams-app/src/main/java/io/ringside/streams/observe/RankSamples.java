package io.ringside.streams.observe;

import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.RankWait;
import io.ringside.streams.publish.Job;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Series about the ranks that cost their job the most, and only those, because a job may have
/// sixteen thousand ranks. Blame is withdrawn if a clock turns out to be wrong. A counter must not
/// fall, so it keeps its value until the rank is blamed for more. Not thread-safe.
final class RankSamples {
  private static final Comparator<RankWait> WORST_FIRST =
      Comparator.comparingDouble(RankWait::blamedSeconds)
          .reversed()
          .thenComparingInt(RankWait::rank);

  private final Map<JobKey, Blamed> most = new HashMap<>();

  /// The largest blame of each rank of the job's newest run, in seconds.
  private record Blamed(String run, Map<Integer, Double> seconds) {}

  /// Adds how long ranks waited: all ranks of a small job; of a large one, those that others waited
  /// for the longest.
  ///
  /// @return number of ranks left out
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
  /// @return number of blamed ranks left out
  int add(Samples samples, Job job, int top) {
    var run = job.current().map(RunSummary::run).orElse("");
    var ever =
        most.compute(
            job.key(),
            (_, before) ->
                before != null && before.run().equals(run)
                    ? before
                    : new Blamed(run, new HashMap<>()));
    var blamed =
        job.current().stream()
            .flatMap(it -> it.waits().ranks().stream())
            .filter(rank -> rank.blamedSeconds() > 0)
            .sorted(WORST_FIRST)
            .toList();
    for (var rank : blamed.stream().limit(top).toList()) {
      samples.put(
          Metric.BLAMED_SECONDS,
          ever.seconds().merge(rank.rank(), rank.blamedSeconds(), Math::max),
          job.key(),
          Integer.toString(rank.rank()),
          rank.node(),
          rank.pod(),
          Objects.requireNonNullElse(rank.gpu(), ""));
    }
    return Math.max(0, blamed.size() - top);
  }

  /// Forgets all other jobs.
  void keep(Set<JobKey> jobs) {
    most.keySet().retainAll(jobs);
  }
}
