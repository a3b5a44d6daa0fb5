package io.ringside.streams.waits;

import io.ringside.streams.fact.KeptBlocks;

/// For how many rounds one stands: after some were left out, those of the next block stand for them
/// as well, each for as many, in their order.
final class SampleWeight {
  private double owed;
  private double each;
  private long fromNanos;
  private long toNanos;
  private long standsForNanos;
  private int taken;

  /// So many rounds were left out.
  ///
  /// @param sinceNanos when the last one before them was complete
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

  /// For how many rounds the next one stands, itself among them: 1 or more.
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

  /// When those were, about.
  long standsFor() {
    return standsForNanos;
  }

  /// How long the last time was in which rounds were left out.
  long gapNanos() {
    return toNanos < fromNanos ? 0 : toNanos - fromNanos;
  }
}
