package io.ringside.streams.waits;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/// How long a program's turns took while no rank was suspect, and which ranks were late in them
/// nevertheless: if a host is slow from the first step on, these turns do not show how long turns
/// take without it.
final class UsualTurns {
  private static final int KEPT = 64;

  /// If a rank was late in more than this share of the turns, they show no time before it was late.
  private static final double MOST_LATE = 0.5;

  /// Durations of the last turns, in a ring: a program that slows down has another pace from then
  /// on.
  private double[] seconds = new double[KEPT];

  private final Map<Integer, Long> late = new TreeMap<>();

  /// Number of turns at the time when a rank was found to be late without any rank waiting for it.
  private final Map<Integer, Long> acquittedAfter = new TreeMap<>();

  private long turns;

  /// @param ranks ranks that were late in the turn
  void add(double turnSeconds, Collection<Integer> ranks) {
    seconds[(int) (turns++ % KEPT)] = turnSeconds;
    ranks.forEach(rank -> late.merge(rank, 1L, Long::sum));
  }

  /// How long turns took before a rank was late: the median.
  Pace before(int rank) {
    var last = new Reservoir(KEPT);
    for (double turn : lastBefore(rank, KEPT)) {
      last.add(turn);
    }
    return Pace.of(last);
  }

  /// The same as the mean of the first or second half, whichever took longer, since turns may have
  /// become longer a little earlier. Uses only turns since the rank was last acquitted: earlier
  /// ones are not those right before it is late.
  Pace meanBefore(int rank) {
    var last = lastBefore(rank, turns - acquittedAfter.getOrDefault(rank, 0L));
    var mean = Pace.mean(last);
    double first = Pace.mean(Arrays.copyOf(last, last.length / 2)).seconds();
    double second = Pace.mean(Arrays.copyOfRange(last, last.length / 2, last.length)).seconds();
    return new Pace(Math.max(first, second), mean.error(), mean.turns());
  }

  /// Records that the rank was late for a while, and no rank waited for it.
  void acquitted(int rank) {
    acquittedAfter.put(rank, turns);
  }

  /// The last turns, the oldest first; empty if they show nothing.
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
