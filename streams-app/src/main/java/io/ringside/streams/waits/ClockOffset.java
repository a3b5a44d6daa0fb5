package io.ringside.streams.waits;

import java.util.Arrays;

/// How far one clock is ahead. The first estimate is what most rounds show. From then on it follows
/// the drift of a clock, which is slow, and so not a rank that begins to be late, which is sudden.
final class ClockOffset {
  /// Most that a clock may gain on another, in seconds a second: quartz is within 20 millionths,
  /// and two clocks may drift apart.
  private static final double DRIFT = 50e-6;

  private static final int BLOCK = 64;

  /// The estimate is taken to be wrong by less than this many standard errors, for all clocks of a
  /// job.
  private static final double SURE = 3.5;

  private double share;
  private int first;
  private Reservoir begin;
  private double[] block = new double[BLOCK];
  private int inBlock;
  private long movedNanos;
  private double offset;
  private double error;

  ClockOffset() {
    this(0.5, 1);
  }

  /// @param share quantile of the differences that is the offset: lateness only adds
  /// @param first number of differences that make the first estimate
  ClockOffset(double share, int first) {
    this.share = share;
    this.first = first;
    begin = new Reservoir(first);
  }

  /// Records by how many nanoseconds the clock seemed ahead in one round.
  ///
  /// @param atNanos time of the round, Unix epoch
  void note(double difference, long atNanos) {
    if (begin.size() < first) {
      begin.add(difference);
      offset = Double.NaN;
      movedNanos = atNanos;
      return;
    }
    block[inBlock++] = difference;
    if (inBlock == BLOCK) {
      var sorted = block.clone();
      Arrays.sort(sorted);
      var together = JointArrivals.find(sorted, share);
      double seen =
          together == null ? sorted[(int) Math.round(share * (BLOCK - 1))] : together.middle();
      double most = DRIFT * Math.max(0, atNanos - movedNanos);
      offset = nanos() + Math.clamp(seen - nanos(), -most, most);
      movedNanos = atNanos;
      inBlock = 0;
    }
  }

  /// Makes the first estimate of what was noted so far.
  ///
  /// @param least number of differences that are enough for it
  void settle(int least) {
    if (begin.size() >= least) {
      first = Math.min(first, begin.size());
    }
  }

  /// Records that the clock was set forwards by this many nanoseconds.
  void set(double nanos) {
    begin.shift(nanos);
    for (int i = 0; i < inBlock; i++) {
      block[i] += nanos;
    }
    offset += nanos;
  }

  /// Keeps only this many of the oldest differences: in the later ones its rank was late. Does
  /// nothing once the first estimate is made.
  void keep(int differences) {
    if (begin.size() < first && begin.size() > differences) {
      begin.removeLast(begin.size() - differences);
      offset = Double.NaN;
      error = 0;
    }
  }

  /// By how many seconds the estimate may be wrong. Differences of healthy rounds scatter, and few
  /// of them prove little.
  ///
  /// @param roundsAStep rounds a step; those of one step show the same and count once
  double errorSeconds(int roundsAStep) {
    if (begin.size() >= first && error > 0) {
      return error;
    }
    var together = JointArrivals.find(begin.sorted(), share);
    if (together != null) {
      double apart = roundsAStep == 1 && share >= 0.5 ? JointArrivals.apart(begin.values()) : 0;
      error = (together.width() + apart) / 1e9;
    } else {
      double steps = Math.max(1, begin.size() / (double) Math.max(1, roundsAStep));
      double margin = SURE * Math.sqrt(share * (1 - share) / steps);
      double middle = begin.quantile(share);
      error = (begin.quantile(Math.min(1, share + margin)) - middle) / 1e9;
      if (share >= 0.5) {
        // lateness of either clock: where it alternates, the median lies anywhere between both
        error = Math.max(error, (middle - begin.quantile(Math.max(0, share - margin))) / 1e9);
      }
    }
    return error;
  }

  /// Nanoseconds to subtract from its times.
  long nanos() {
    if (Double.isNaN(offset)) {
      var together = JointArrivals.find(begin.sorted(), share);
      offset = together == null ? begin.quantile(share) : together.middle();
    }
    return Math.round(offset);
  }
}
