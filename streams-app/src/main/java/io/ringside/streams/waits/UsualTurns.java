package io.ringside.streams.waits;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/// How long a program's turns took while nobody was suspect, and who was late in them all the same: a host that is slow from
/// the first step on is no measure of how long its turns take without it.
final class UsualTurns {
  private static final int KEPT = 64;

  /// From this share of the turns on they tell nothing of a time before the rank was late.
  private static final double MOST_LATE = 0.5;

  /// Of the last ones, in a ring: a program that slows down has another pace since.
  private double[] seconds = new double[KEPT];

  private final Map<Integer, Long> late = new TreeMap<>();
  private long turns;

  /// @param ranks that were late in it
  void add(double turnSeconds, Collection<Integer> ranks) {
    seconds[(int) (turns++ % KEPT)] = turnSeconds;
    ranks.forEach(rank -> late.merge(rank, 1L, Long::sum));
  }

  /// How long they took before a rank was late.
  Pace before(int rank) {
    if (late.getOrDefault(rank, 0L) > MOST_LATE * turns) {
      return Pace.UNKNOWN;
    }
    var last = new Reservoir(KEPT);
    for (int turn = 0; turn < Math.min(turns, KEPT); turn++) {
      last.add(seconds[turn]);
    }
    return Pace.of(last);
  }
}
