package io.ringside.streams.join.job;

import io.ringside.schemas.event.Evidence;
import java.util.ArrayList;
import java.util.List;

/// A stretch of time in which one rank kept the others waiting again and again.
public final class Streak {
  private static final int MAX_PROOFS = 6;

  private int rank;
  private long sinceNanos = Long.MAX_VALUE;
  private long untilNanos = Long.MIN_VALUE;
  private long convincedNanos = Long.MAX_VALUE;
  private double blamedSeconds;
  private long episodes;
  private long turns;
  private long waits;
  private long turnsSince;
  private long waitsSince;
  private final List<Evidence> proofs = new ArrayList<>();

  Streak() {}

  Streak(int rank) {
    this.rank = rank;
  }

  public int rank() {
    return rank;
  }

  /// Unix epoch nanoseconds at which the others began to wait for the first time.
  public long sinceNanos() {
    return sinceNanos;
  }

  /// Unix epoch nanoseconds at which the rank arrived late for the last time.
  public long untilNanos() {
    return untilNanos;
  }

  /// Unix epoch nanoseconds of the turn that left no doubt, the highest long if none did.
  public long convincedNanos() {
    return convincedNanos;
  }

  /// Wall-clock seconds in which the others waited for this rank.
  public double blamedSeconds() {
    return blamedSeconds;
  }

  /// In how many turns they waited for it: overlapping rounds of one delay count once.
  public long episodes() {
    return episodes;
  }

  /// Share of the streak's time that was lost, 0 to 1.
  public double share() {
    return untilNanos > sinceNanos ? blamedSeconds * 1e9 / (untilNanos - sinceNanos) : 0;
  }

  /// Of the streak's turns in which anybody was waited for, the share in which this rank was, 0 to 1.
  public double shareOfWaits() {
    return waits == 0 ? 0 : episodes / (double) waits;
  }

  /// Turns since it began.
  long turns() {
    return turns + turnsSince;
  }

  /// Raw lines of late rounds: the rank's own and of the ranks that waited.
  public List<Evidence> proofs() {
    return proofs;
  }

  /// The rank was late in this turn.
  void late(Turn turn) {
    turns += turnsSince + 1;
    waits += waitsSince + 1;
    turnsSince = 0;
    waitsSince = 0;
    episodes++;
    sinceNanos = Math.min(sinceNanos, turn.sinceNanos());
    untilNanos = Math.max(untilNanos, turn.untilNanos());
    blamedSeconds += turn.lateSeconds(rank);
    if (proofs.size() + turn.proofs().size() <= MAX_PROOFS) {
      proofs.addAll(turn.proofs());
    }
  }

  /// It was not; that counts once it is late again.
  ///
  /// @param waited whether others were waited for
  void inTime(boolean waited) {
    turnsSince++;
    waitsSince += waited ? 1 : 0;
  }

  void convinced(long nanos) {
    convincedNanos = Math.min(convincedNanos, nanos);
  }
}
