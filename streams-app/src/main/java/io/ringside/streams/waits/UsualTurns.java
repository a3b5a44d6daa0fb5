package io.ringside.streams.waits;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/// How long a program's turns took while nobody was suspect, and who was late in them all the same:
/// a host that is slow from the first step on is no measure of how long its turns take without it.
final class UsualTurns {
  private static final int KEPT = 64;

  /// From this share of the turns on they tell nothing of a time before the rank was late.
  private static final double MOST_LATE = 0.5;

  /// Of the last ones, in a ring: a program that slows down has another pace since.
  private double[] seconds = new double[KEPT];

  private final Map<Integer, Long> late = new TreeMap<>();

  /// How many turns there were when a rank was found to be late without anybody waiting for it.
  private final Map<Integer, Long> acquittedAfter = new TreeMap<>();

  private long turns;

  /// @param ranks that were late in it
  void add(double turnSeconds, Collection<Integer> ranks) {
    seconds[(int) (turns++ % KEPT)] = turnSeconds;
    ranks.forEach(rank -> late.merge(rank, 1L, Long::sum));
  }

  /// How long they took before a rank was late: the median.
  Pace before(int rank) {
    var last = new Reservoir(KEPT);
    for (double turn : lastBefore(rank, KEPT)) {
      last.add(turn);
    }
    return Pace.of(last);
  }

  /// The same: the mean of the half of them that took longer, for they may have become so a little
  /// earlier. Only since the rank was acquitted: what was before that is not right before it is
  /// late.
  Pace meanBefore(int rank) {
    var last = lastBefore(rank, turns - acquittedAfter.getOrDefault(rank, 0L));
    var mean = Pace.mean(last);
    double first = Pace.mean(Arrays.copyOf(last, last.length / 2)).seconds();
    double second = Pace.mean(Arrays.copyOfRange(last, last.length / 2, last.length)).seconds();
    return new Pace(Math.max(first, second), mean.error(), mean.turns());
  }

  /// The rank was late for a while, and nobody waited for it.
  void acquitted(int rank) {
    acquittedAfter.put(rank, turns);
  }

  /// The oldest first; none where they tell nothing.
  private double[] lastBefore(int rank, long most) {
    if (late.getOrDefault(rank, 0L) > MOST_LATE * turns) {
      return new double[0];
    }
    int kept = (int) Math.min(Math.min(most, turns), KEPT);
    var last = new double[kept];
    for (int turn = 0; turn < kept; turn++) {
      last[turn] = seconds[(int) ((turns - kept + turn) % KEPT)];
    }
    return last;
  }
}
