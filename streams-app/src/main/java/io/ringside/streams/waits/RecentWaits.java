package io.ringside.streams.waits;

import java.util.Set;

/// How long ranks were waited for in the last {@value #MANY} turns with a wait, and which ranks.
/// Bounded.
final class RecentWaits {
  private static final int MANY = 32;

  private double[] seconds = new double[0];
  private int[][] ranks = new int[0][];
  private int next;
  private int size;

  void add(Set<Integer> late, double waited) {
    if (seconds.length == 0) {
      seconds = new double[MANY];
      ranks = new int[MANY][];
    }
    seconds[next] = waited;
    ranks[next] = late.stream().mapToInt(Integer::intValue).toArray();
    next = (next + 1) % MANY;
    size = Math.min(MANY, size + 1);
  }

  /// Share of the waits for other ranks that were at least this long, counting this one in; 1 if
  /// there were none. Waits that a rank itself causes do not show what is usual. Neither do waits
  /// from before a program slowed down, so only recent ones count.
  double shareAtLeast(int rank, double waited) {
    int count = 1;
    int longer = 1;
    for (int i = 0; i < size; i++) {
      if (!holds(ranks[i], rank)) {
        count++;
        longer += seconds[i] >= waited ? 1 : 0;
      }
    }
    return longer / (double) count;
  }

  private static boolean holds(int[] some, int rank) {
    for (int each : some) {
      if (each == rank) {
        return true;
      }
    }
    return false;
  }
}
