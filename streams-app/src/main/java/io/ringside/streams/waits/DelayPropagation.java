package io.ringside.streams.waits;

import io.ringside.schemas.event.Nanos;

/// Whether a late rank carries the others along.
///
/// A rank that waits in a call goes on when the late rank comes, however late that is: the others'
/// next calls follow the late rank steadily. If each rank is busy with its own work and no GPU
/// needs the result yet, one rank may come after the others for hours while they go on at their own
/// pace: their calls follow their own last ones, whatever the late rank does. No clocks are
/// compared, so a wrong clock changes nothing.
final class DelayPropagation {
  private static final int FEWEST = 16;
  private static final int KEPT = 128;

  /// By chance the middle halves of two such samples differ by less than this factor.
  private static final double STEADIER = 2;

  /// Scatter below this share of the lateness proves nothing: if a rank is always late by the same
  /// amount, it does not show whether it carries the others along.
  private static final double LEAST_SHARE = 0.1;

  private Reservoir afterLate = new Reservoir(KEPT);
  private Reservoir afterOthers = new Reservoir(KEPT);
  private long gapRounds = Long.MAX_VALUE;
  private long round;
  private long from;
  private long until;

  /// Adds a turn in which the rank was late. Late turns that are a step apart are compared,
  /// that is, as many rounds apart as the closest ones.
  void late(Turn turn) {
    long gap = turn.untilRound() - round;
    if (until > 0 && gap < gapRounds) {
      gapRounds = gap;
      afterLate = new Reservoir(KEPT);
      afterOthers = new Reservoir(KEPT);
    }
    if (gap == gapRounds) {
      afterLate.add(Nanos.seconds(turn.longestFrom() - until));
      afterOthers.add(Nanos.seconds(turn.longestFrom() - from));
    }
    round = turn.untilRound();
    from = turn.longestFrom();
    until = turn.longestUntil();
  }

  /// Whether the others are known not to be carried along.
  ///
  /// @param lateSeconds how late the rank usually is
  boolean isRefuted(double lateSeconds) {
    double beyond = Math.max(STEADIER * spread(afterOthers), LEAST_SHARE * lateSeconds);
    return afterLate.size() >= FEWEST && spread(afterLate) > beyond;
  }

  /// Whether the others are known to be carried along: then no wrong clock makes the rank seem
  /// late.
  boolean isProven() {
    return afterLate.size() >= FEWEST && spread(afterOthers) > STEADIER * spread(afterLate);
  }

  private static double spread(Reservoir seconds) {
    return seconds.quantile(0.75) - seconds.quantile(0.25);
  }
}
