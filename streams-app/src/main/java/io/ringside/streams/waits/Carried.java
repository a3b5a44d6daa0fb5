package io.ringside.streams.waits;

import io.ringside.schemas.event.Nanos;

/// Whether the others are carried along by a late rank.
///
/// Who waits in a call goes on when the late rank comes, however late that is: the others' next
/// calls follow it steadily. Where each rank is busy with its own work and no GPU needs the result
/// yet, one may come after the others for hours, and they go on at their own pace: their calls
/// follow on their own last ones, whatever the late rank does. No clock is compared, so one that is
/// wrong changes nothing.
final class Carried {
  private static final int FEWEST = 16;
  private static final int KEPT = 128;

  /// By chance the middle halves of two such samples differ by less.
  private static final double STEADIER = 2;

  /// A rank that is always late by the same carries the others along or does not: nothing tells.
  private static final double LEAST_SHARE = 0.1;

  private Reservoir afterLate = new Reservoir(KEPT);
  private Reservoir afterOthers = new Reservoir(KEPT);
  private long gapRounds = Long.MAX_VALUE;
  private long round;
  private long from;
  private long until;

  /// A rank was late in a turn. Late turns that are a step apart are compared: as many rounds as
  /// between the closest ones.
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

  /// Whether they are known not to be.
  ///
  /// @param lateSeconds how late the rank is, usually
  boolean no(double lateSeconds) {
    double beyond = Math.max(STEADIER * spread(afterOthers), LEAST_SHARE * lateSeconds);
    return afterLate.size() >= FEWEST && spread(afterLate) > beyond;
  }

  /// Whether they are known to be: then no wrong clock makes the rank seem late.
  boolean yes() {
    return afterLate.size() >= FEWEST && spread(afterOthers) > STEADIER * spread(afterLate);
  }

  private static double spread(Reservoir seconds) {
    return seconds.quantile(0.75) - seconds.quantile(0.25);
  }
}
