package io.ringside.streams.join.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// In which order the ranks came to one round, by corrected clocks.
///
/// @param firstNanos when the first rank came, and which
/// @param secondNanos when the last but one came
/// @param lastNanos when the last rank came, and which
record Arrival(long firstNanos, int firstRank, long secondNanos, long lastNanos, int lastRank) {

  /// @param nanos times by rank, NO_TIME for ranks without lines
  /// @param offsets what each rank's clock is ahead by
  static Arrival of(long[] nanos, long[] offsets) {
    long first = Long.MAX_VALUE;
    int firstRank = -1;
    long second = Long.MIN_VALUE;
    long last = Long.MIN_VALUE;
    int lastRank = -1;
    for (int rank = 0; rank < nanos.length; rank++) {
      if (nanos[rank] == NO_TIME) {
        continue;
      }
      long at = nanos[rank] - offsets[rank];
      if (at < first) {
        first = at;
        firstRank = rank;
      }
      if (at > last) {
        second = last;
        last = at;
        lastRank = rank;
      } else if (at > second) {
        second = at;
      }
    }
    return new Arrival(first, firstRank, second, last, lastRank);
  }

  /// By how much the others differ without the last one, in nanoseconds: the noise of healthy rounds.
  double othersSpread() {
    return secondNanos == Long.MIN_VALUE ? 0 : secondNanos - firstNanos;
  }

  /// The lines of the first and of the last rank, where they were kept.
  List<Evidence> proofs(Map<Integer, Evidence> lines) {
    var both = new ArrayList<Evidence>(2);
    var first = lines.get(firstRank);
    var last = lines.get(lastRank);
    if (first != null && last != null) {
      both.add(first);
      both.add(last);
    } else if (last != null) {
      both.add(last);
    }
    return both;
  }
}
