package io.ringside.streams.join.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// In which order the ranks came to one round, by corrected clocks.
///
/// @param firstNanos when the first rank came, and which
/// @param thirdNanos when the last but two came, the lowest long if there were but two
/// @param secondNanos when the last but one came
/// @param lastNanos when the last rank came, and which
record Arrival(
    long firstNanos,
    int firstRank,
    long thirdNanos,
    long secondNanos,
    long lastNanos,
    int lastRank) {

  /// @param nanos times by rank, NO_TIME for ranks without lines
  /// @param offsets what each rank's clock is ahead by
  static Arrival of(long[] nanos, long[] offsets) {
    long first = Long.MAX_VALUE;
    int firstRank = -1;
    long third = Long.MIN_VALUE;
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
        third = second;
        second = last;
        last = at;
        lastRank = rank;
      } else if (at > second) {
        third = second;
        second = at;
      } else if (at > third) {
        third = at;
      }
    }
    return new Arrival(first, firstRank, third, second, last, lastRank);
  }

  /// How far the ranks before the last one come apart, in nanoseconds: what healthy rounds of this
  /// communicator show between the last two as well, and one late rank does not change. With two ranks there
  /// is only their own distance.
  double noise() {
    return thirdNanos == Long.MIN_VALUE ? lastNanos - firstNanos : secondNanos - thirdNanos;
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
