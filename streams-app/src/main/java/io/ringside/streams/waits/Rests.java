package io.ringside.streams.waits;

/// For how long nobody called in the middle of the work: in an evaluation, a checkpoint, a restart
/// of the data loaders. Nobody waits for anybody then, and by such a time it does not show how long
/// rounds take.
final class Rests {
  private static final long LEAST_NANOS = 1_000_000_000L;

  /// A rest is so many times as long as what passed between two rounds before.
  private static final int TIMES = 2;

  /// What passes between rounds is known of so many, and as many before: more than most steps have.
  private static final int BLOCK = 512;

  private long restedNanos;
  private long longest;
  private long longestBefore;
  private int inBlock;

  /// Takes in how long nobody called before a round.
  ///
  /// @param gapNanos from the last call of the round before until the first one
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

  /// For how long nobody called beyond what is usual between two rounds; 0 if that is no rest.
  static long excess(long gapNanos, long usualNanos) {
    return gapNanos >= LEAST_NANOS && gapNanos > TIMES * usualNanos ? gapNanos - usualNanos : 0;
  }

  /// All rests so far, in nanoseconds, but for what passes between rounds without one.
  long nanos() {
    return restedNanos;
  }
}
