package io.ringside.streams.waits;

import io.ringside.streams.fact.KeptBlocks;

/// How many rounds one round stands for. After some were left out, the rounds of the next block
/// stand for them as well, each for equally many, in their order.
final class SampleWeight {
  private double owed;
  private double each;
  private long fromNanos;
  private long toNanos;
  private long standsForNanos;
  private int taken;

  /// Records that this many rounds were left out.
  ///
  /// @param sinceNanos when the last round before them was complete
  void leftOut(long rounds, long sinceNanos) {
    owed += rounds;
    each = owed / KeptBlocks.BLOCK;
    fromNanos = sinceNanos;
    toNanos = Long.MIN_VALUE;
    taken = 0;
  }

  boolean anyLeftOut() {
    return fromNanos != 0;
  }

  /// How many rounds the next one stands for, itself included: 1 or more.
  ///
  /// @param atNanos when its first rank came
  double next(long atNanos) {
    if (owed <= 0) {
      return 1;
    }
    if (toNanos == Long.MIN_VALUE) {
      toNanos = Math.max(fromNanos, atNanos);
    }
    standsForNanos = fromNanos + (toNanos - fromNanos) / KeptBlocks.BLOCK * taken++;
    double extra = Math.min(owed, each);
    owed -= extra;
    return 1 + extra;
  }

  /// About when the rounds were that the last one stands for, Unix epoch nanoseconds.
  long standsFor() {
    return standsForNanos;
  }

  /// Nanoseconds of the last time in which rounds were left out.
  long gapNanos() {
    return toNanos < fromNanos ? 0 : toNanos - fromNanos;
  }
}
