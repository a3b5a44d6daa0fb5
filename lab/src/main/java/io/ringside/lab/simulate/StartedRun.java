package io.ringside.lab.simulate;

import io.ringside.schemas.event.Nanos;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

/// A planned run as it came about: what its truth follows from.
///
/// @param starts when each rank's process started
/// @param connected when all ranks had found each other
/// @param begin true time of the job's begin, from which seconds count
record StartedRun(
    JobPlan plan,
    Layout layout,
    Timeline timeline,
    double[] starts,
    double connected,
    Instant begin) {

  Instant at(double seconds) {
    return Nanos.instant(Nanos.of(begin) + Math.round(seconds * 1e9));
  }

  /// When connections are made.
  Instant edges() {
    if (!plan.version().lazyConnections()) {
      return at(connected + 0.01);
    }
    double last = 0;
    for (int rank = 0; rank < plan.ranks(); rank++) {
      last = Math.max(last, timeline.firstCall(0, rank));
    }
    return at(last);
  }

  /// Ranks of whom there are lines.
  Set<Integer> ranksWithLogs() {
    return ranks(0, plan.podsWithLogs());
  }

  /// Ranks of some pods.
  ///
  /// @param toPod exclusive
  Set<Integer> ranks(int fromPod, int toPod) {
    var ranks = new TreeSet<Integer>();
    for (int rank = fromPod * plan.gpusPerPod(); rank < toPod * plan.gpusPerPod(); rank++) {
      ranks.add(rank);
    }
    return ranks;
  }

  /// Whether only some pods' lines are known.
  boolean partly() {
    return plan.podsWithLogs() < plan.pods();
  }
}
