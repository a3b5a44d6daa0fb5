package io.ringside.streams.waits;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import java.util.Set;
import java.util.TreeSet;

/// Finds ranks whose calls come in bursts while most ranks' calls come one by one. Their lines were
/// held back in blocks, as C stdio does for a pipe, and are whole since a runtime or a collector
/// put the blocks together again. No rank makes its calls within a millisecond again and again
/// while the others need fifty for each.
///
/// ```text
///   rank 0   |    |    |    |    |    |    |    |
///   rank 1   |    |    |    |    |    |    |    |
///   rank 2                     ||||||            ||
/// ```
final class Bursts {
  private static final long TOGETHER_NANOS = 1_000_000;

  private static final long SPREAD_NANOS = 50_000_000;

  private static final int LEAST_ROUNDS = 60;

  /// Least share of a rank's close calls in the rounds in which the others' calls are far apart. A
  /// block may hold no more than two steps.
  private static final double SHARE = 0.4;

  /// With two ranks it is unknown which one is held back.
  private static final int LEAST_RANKS = 3;

  private long rounds;
  private long[] before = new long[0];
  private int[] together = new int[0];

  Bursts() {}

  /// Records when the ranks made their next call.
  ///
  /// @param nanos in the order of the callers, NO_TIME if unknown
  void take(long[] nanos) {
    if (before.length != nanos.length) {
      rounds = 0;
      together = new int[nanos.length];
      before = nanos.clone();
      return;
    }
    int apart = 0;
    int close = 0;
    for (int place = 0; place < nanos.length; place++) {
      apart += isApart(nanos, place) ? 1 : 0;
      close += isClose(nanos, place) ? 1 : 0;
    }
    if (nanos.length >= LEAST_RANKS && 2 * apart > nanos.length) {
      rounds++;
      for (int place = 0; close > 0 && place < nanos.length; place++) {
        together[place] += isClose(nanos, place) ? 1 : 0;
      }
    }
    System.arraycopy(nanos, 0, before, 0, nanos.length);
  }

  private boolean isApart(long[] nanos, int place) {
    return known(nanos, place) && nanos[place] - before[place] >= SPREAD_NANOS;
  }

  private boolean isClose(long[] nanos, int place) {
    return known(nanos, place)
        && nanos[place] >= before[place]
        && nanos[place] - before[place] <= TOGETHER_NANOS;
  }

  private boolean known(long[] nanos, int place) {
    return nanos[place] != NO_TIME && before[place] != NO_TIME;
  }

  /// The ranks whose calls come in bursts.
  ///
  /// @param callers the ranks in the order of their places
  Set<Integer> of(Iterable<Integer> callers) {
    var held = new TreeSet<Integer>();
    int place = 0;
    for (int rank : callers) {
      if (place < together.length && rounds >= LEAST_ROUNDS && together[place] >= SHARE * rounds) {
        held.add(rank);
      }
      place++;
    }
    return held;
  }
}
