package io.ringside.streams.waits;

/// How long no rank called in the middle of the work: in an evaluation, a checkpoint, a restart of
/// the data loaders. No rank waits for another then, and such a time does not show how long rounds
/// take.
final class WorkBreaks {
  private static final long LEAST_NANOS = 1_000_000_000L;

  /// A rest is longer than this many times the longest gap between earlier rounds.
  private static final int TIMES = 2;

  /// Gaps between rounds are known for this many rounds, and as many before: more than most steps
  /// have.
  private static final int BLOCK = 512;

  private long restedNanos;
  private long longest;
  private long longestBefore;
  private int inBlock;

  /// Records how long no rank called before a round.
  ///
  /// @param gapNanos from the last call of the round before to the first call of this one
  void next(long gapNanos) {
    long usual = Math.max(longest, longestBefore);
    restedNanos += excess(gapNanos, usual);
    // rounds may come more slowly from now on: after a few of them that is what is usual
    longest = Math.max(longest, Math.min(gapNanos, Math.max(LEAST_NANOS, 2 * usual)));
    if (++inBlock == BLOCK) {
      inBlock = 0;
      longestBefore = longest;
      longest = 0;
    }
  }

  /// How long no rank called beyond what is usual between two rounds, in nanoseconds; 0 if that is
  /// no rest.
  static long excess(long gapNanos, long usualNanos) {
    return gapNanos >= LEAST_NANOS && gapNanos > TIMES * usualNanos ? gapNanos - usualNanos : 0;
  }

  /// All rests so far, in nanoseconds, without the usual gaps between rounds.
  long nanos() {
    return restedNanos;
  }
}
