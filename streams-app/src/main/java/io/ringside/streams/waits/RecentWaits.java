package io.ringside.streams.waits;

import java.util.Set;

/// For how long ranks were waited for in the last {@value #MANY} turns with a wait, and for whom.
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

  /// Of the waits that were not for this rank, the share that was at least so long, counting this
  /// one in; 1 if there were none. What a rank makes others wait itself says nothing of what is
  /// usual, and what was usual before a program slowed down is usual no more.
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
