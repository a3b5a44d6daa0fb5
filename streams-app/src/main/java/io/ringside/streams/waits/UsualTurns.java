package io.ringside.streams.waits;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/// How long a program's turns took while nobody was suspect, and who was late in them all the same: a host that is slow from
/// the first step on is no measure of how long its turns take without it.
final class UsualTurns {
  private static final int KEPT = 128;

  /// From this share of the turns on they tell nothing of a time before the rank was late.
  private static final double MOST_LATE = 0.5;

  private Reservoir seconds = new Reservoir(KEPT);
  private final Map<Integer, Long> late = new TreeMap<>();
  private long turns;

  /// @param ranks that were late in it
  void add(double turnSeconds, Collection<Integer> ranks) {
    seconds.add(turnSeconds);
    turns++;
    ranks.forEach(rank -> late.merge(rank, 1L, Long::sum));
  }

  /// How long they took before a rank was late.
  Pace before(int rank) {
    return late.getOrDefault(rank, 0L) > MOST_LATE * turns ? Pace.UNKNOWN : Pace.of(seconds);
  }
}
