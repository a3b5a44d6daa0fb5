package io.ringside.streams.waits;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The order in which the ranks came to one round, by corrected clocks: the body of the ranks, and
/// the few that came after the widest gap in the later half.
///
/// @param firstNanos when the first rank came
/// @param firstRank the rank that came first
/// @param bodyNanos when the last rank before the late ones came, or until when earlier waits
///   lasted
/// @param lastNanos when the last rank came
/// @param late the ranks after the gap, the last one first
/// @param lateSeconds by how much each of them came after the body
/// @param othersNanos when the last rank before the late ones came, whatever earlier waits there
///   were
/// @param spacingSeconds time between the last rank but one and the rank before it, which a single
///   late rank does not change; with two ranks, the time between them
record Arrival(
    long firstNanos,
    int firstRank,
    long bodyNanos,
    long lastNanos,
    int[] late,
    double[] lateSeconds,
    long othersNanos,
    double spacingSeconds) {

  /// The ranks of two nodes of eight GPUs, or one group of tensor parallelism, may be late
  /// together. More ranks count as late only if they come far behind all others.
  private static final int MOST_LATE = 16;

  /// @param ranks the ranks that call, in order
  /// @param nanos their times, NO_TIME where there is none; at least two have one
  /// @param offsets how far their clocks are ahead
  /// @param covered until when earlier rounds were waited for: that time counts only once
  static Arrival of(int[] ranks, long[] nanos, long[] offsets, long covered) {
    long first = Long.MAX_VALUE;
    int firstRank = -1;
    int present = 0;
    var top = new long[MOST_LATE + 2];
    var latest = new int[MOST_LATE + 2];
    Arrays.fill(top, Long.MIN_VALUE);
    for (int i = 0; i < nanos.length; i++) {
      if (nanos[i] == NO_TIME) {
        continue;
      }
      present++;
      long at = nanos[i] - offsets[i];
      if (at < first) {
        first = at;
        firstRank = ranks[i];
      }
      int place = top.length;
      while (place > 0 && at > top[place - 1]) {
        place--;
      }
      if (place < top.length) {
        System.arraycopy(top, place, top, place + 1, top.length - place - 1);
        System.arraycopy(latest, place, latest, place + 1, latest.length - place - 1);
        top[place] = at;
        latest[place] = ranks[i];
      }
    }
    int count = 1;
    long widest = Long.MIN_VALUE;
    for (int k = 1; k <= Math.min(MOST_LATE, present / 2); k++) {
      long gap = top[k - 1] - Math.max(top[k], covered);
      if (gap > widest) {
        widest = gap;
        count = k;
      }
    }
    double spacing = Nanos.seconds(present > 2 ? top[1] - top[2] : top[0] - top[1]);
    var many = present > 2 * MOST_LATE ? Many.of(ranks, nanos, offsets, first, top[0]) : null;
    if (many != null && many.ranks().length <= present / 2) {
      return of(many.ranks(), many.nanos(), many.othersNanos(), first, firstRank, covered, spacing);
    }
    return of(Arrays.copyOf(latest, count), top, top[count], first, firstRank, covered, spacing);
  }

  /// @param late the late ranks, the last one first
  /// @param at when they came
  /// @param others when the last rank before them came
  private static Arrival of(
      int[] late, long[] at, long others, long first, int firstRank, long covered, double spacing) {
    long body = Math.max(others, covered);
    var seconds = new double[late.length];
    for (int i = 0; i < late.length; i++) {
      seconds[i] = Nanos.seconds(Math.max(0, at[i] - body));
    }
    return new Arrival(first, firstRank, body, at[0], late, seconds, others, spacing);
  }

  /// More than a few ranks that came after all others, such as those behind one switch or filer.
  /// They count only if a wide gap separates the two halves of the round's time.
  ///
  /// @param ranks the last one first
  private record Many(int[] ranks, long[] nanos, long othersNanos) {
    static @Nullable Many of(int[] ranks, long[] nanos, long[] offsets, long first, long last) {
      long middle = first + (last - first) / 2;
      long before = first;
      long after = last;
      int count = 0;
      for (int place = 0; place < nanos.length; place++) {
        if (nanos[place] == NO_TIME) {
          continue;
        }
        long at = nanos[place] - offsets[place];
        if (at > middle) {
          after = Math.min(after, at);
          count++;
        } else {
          before = Math.max(before, at);
        }
      }
      if (count <= MOST_LATE || after - before < (last - first) / 3) {
        return null;
      }
      var places = new ArrayList<Integer>(count);
      for (int place = 0; place < nanos.length; place++) {
        if (nanos[place] != NO_TIME && nanos[place] - offsets[place] > middle) {
          places.add(place);
        }
      }
      places.sort(Comparator.comparingLong((Integer place) -> offsets[place] - nanos[place]));
      return new Many(
          places.stream().mapToInt(place -> ranks[place]).toArray(),
          places.stream().mapToLong(place -> nanos[place] - offsets[place]).toArray(),
          before);
    }
  }

  boolean isLate(int rank) {
    for (int each : late) {
      if (each == rank) {
        return true;
      }
    }
    return false;
  }

  /// The same arrival if the body went on calling until a moment, and so did not wait before it.
  Arrival busyUntil(long nanos) {
    if (nanos <= bodyNanos) {
      return this;
    }
    var seconds = lateSeconds.clone();
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = Math.max(0, seconds[i] - Nanos.seconds(nanos - bodyNanos));
    }
    return new Arrival(
        firstNanos, firstRank, nanos, lastNanos, late, seconds, othersNanos, spacingSeconds);
  }

  /// How long all others waited for the late ranks, in seconds.
  double lostSeconds() {
    return lateSeconds[0];
  }

  /// The lines of the first and of the last rank, if they were kept.
  List<Evidence> proofs(Map<Integer, Evidence> lines) {
    var both = new ArrayList<Evidence>(2);
    var first = lines.get(firstRank);
    var last = lines.get(late[0]);
    if (first != null && last != null) {
      both.add(first);
      both.add(last);
    } else if (last != null) {
      both.add(last);
    }
    return both;
  }
}
