package io.ringside.streams.waits;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import java.util.Arrays;
import java.util.stream.IntStream;

/// Finds timestamps of a round that cannot be true. A rank calls one round after the other: a call
/// that is stamped later than the rank's next one, or earlier than the one before while the next is
/// not, was made at another time. A clock also does not differ from the other ranks' by more than a
/// day for a single call.
///
/// Such a timestamp is replaced by the time at which the rank would have called had it gone on as
/// the others did. A clock that is set changes all later timestamps of the rank, and these are
/// believed nevertheless.
final class ImpossibleStamps {
  /// Lines of threads that print at once may be out of order by less.
  private static final long LEAST_NANOS = 1_000_000_000L;

  private static final long FAR_NANOS = 86_400_000_000_000L;

  private ImpossibleStamps() {}

  /// Corrects the wrong timestamps of a round.
  ///
  /// @param before the round before, corrected; empty if there is none
  /// @param nanos the round's timestamps by rank, NO_TIME for ranks without lines; changed in place
  /// @param after the next round as it came; empty if unknown
  /// @param wrong takes the place of each wrong timestamp and by how much it is too late
  static void mend(long[] before, long[] nanos, long[] after, Found wrong) {
    boolean far = spread(nanos) > FAR_NANOS;
    for (int rank = 0; rank < nanos.length; rank++) {
      if (nanos[rank] != NO_TIME
          && (outOfOrder(of(before, rank), nanos[rank], of(after, rank))
              || far && isFar(nanos, rank) && !isFar(before, rank) && !isFar(after, rank))) {
        long likely = likely(after.length > 0 ? after : before, nanos, rank);
        wrong.at(rank, nanos[rank] - likely);
        nanos[rank] = likely;
      }
    }
  }

  /// A wrong timestamp.
  interface Found {
    void at(int rank, long nanosTooLate);
  }

  private static boolean outOfOrder(long before, long at, long after) {
    if (after == NO_TIME) {
      return false;
    }
    boolean setBack = before != NO_TIME && later(before, after);
    return !setBack && (later(at, after) || before != NO_TIME && later(before, at));
  }

  private static boolean later(long one, long other) {
    return one - LEAST_NANOS > other;
  }

  private static boolean isFar(long[] nanos, int rank) {
    return of(nanos, rank) != NO_TIME
        && Math.abs(nanos[rank] - middle(nanos, nanos.length)) > FAR_NANOS;
  }

  /// The rank's time in another round, plus the other ranks' median time between the two rounds.
  private static long likely(long[] reference, long[] nanos, int rank) {
    long[] ways =
        IntStream.range(0, nanos.length)
            .filter(other -> other != rank)
            .filter(other -> nanos[other] != NO_TIME && of(reference, other) != NO_TIME)
            .mapToLong(other -> nanos[other] - reference[other])
            .toArray();
    return ways.length == 0 || isFar(reference, rank) || of(reference, rank) == NO_TIME
        ? middle(nanos, rank)
        : reference[rank] + median(ways);
  }

  private static long spread(long[] nanos) {
    long least = Long.MAX_VALUE;
    long most = NO_TIME;
    for (long at : nanos) {
      least = at == NO_TIME ? least : Math.min(least, at);
      most = Math.max(most, at);
    }
    return most == NO_TIME ? 0 : most - least;
  }

  private static long middle(long[] nanos, int without) {
    return median(
        IntStream.range(0, nanos.length)
            .filter(rank -> rank != without && nanos[rank] != NO_TIME)
            .mapToLong(rank -> nanos[rank])
            .toArray());
  }

  private static long median(long[] values) {
    Arrays.sort(values);
    return values.length == 0 ? NO_TIME : values[(values.length - 1) / 2];
  }

  private static long of(long[] nanos, int rank) {
    return nanos.length == 0 ? NO_TIME : nanos[rank];
  }
}
