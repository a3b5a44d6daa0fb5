package io.ringside.streams.join.job;

import io.ringside.schemas.event.Evidence;
import java.util.ArrayList;
import java.util.List;

/// A stretch of time in which one rank kept the others waiting again and again.
public final class Streak {
  private static final int MAX_PROOFS = 6;

  private int rank;
  private long sinceNanos;
  private long untilNanos;
  private double blamedSeconds;
  private double otherBlamedSeconds;
  private long episodes;
  private long rounds;
  private int stepRounds;
  private long passedRounds;
  private double passedOtherSeconds;
  private long lastWindow;
  private long longestPauseNanos;
  private List<Evidence> proofs = new ArrayList<>();

  Streak() {}

  Streak(int rank) {
    this.rank = rank;
    this.sinceNanos = Long.MAX_VALUE;
    this.untilNanos = Long.MIN_VALUE;
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

  /// Wall-clock seconds in which all others waited for this rank alone.
  public double blamedSeconds() {
    return blamedSeconds;
  }

  /// How often they waited: overlapping rounds of one delay count once.
  public long episodes() {
    return episodes;
  }

  /// Share of the streak's time that was lost, 0 to 1.
  public double share() {
    return untilNanos > sinceNanos ? blamedSeconds * 1e9 / (untilNanos - sinceNanos) : 0;
  }

  /// Share of all waiting for single ranks in these windows that is this rank's, 0 to 1.
  public double shareOfBlame() {
    return blamedSeconds / (blamedSeconds + otherBlamedSeconds);
  }

  /// Late episodes a training step, 1 if every step; NaN where the schedule shows no steps.
  public double episodesPerStep() {
    return stepRounds == 0 ? Double.NaN : episodes * (double) stepRounds / Math.max(1, rounds);
  }

  /// The longest time between two late arrivals, in seconds.
  public double longestPauseSeconds() {
    return longestPauseNanos / 1e9;
  }

  /// Raw lines of late rounds: the rank's own and of the ranks that waited.
  public List<Evidence> proofs() {
    return proofs;
  }

  long lastWindow() {
    return lastWindow;
  }

  /// Adds a late round.
  void late(long firstNanos, long lastNanos, double gapSeconds, List<Evidence> lines) {
    if (episodes > 0) {
      longestPauseNanos = Math.max(longestPauseNanos, lastNanos - untilNanos);
    }
    sinceNanos = Math.min(sinceNanos, firstNanos);
    untilNanos = Math.max(untilNanos, lastNanos);
    blamedSeconds += gapSeconds;
    episodes++;
    if (proofs.size() + lines.size() <= MAX_PROOFS) {
      proofs.addAll(lines);
    }
  }

  /// Notes a window after the streak's last bad one. It counts once another bad one follows, for picking
  /// the bad windows alone would make a streak of mere chance.
  void passed(long roundsInIt, double othersSeconds) {
    passedRounds += roundsInIt;
    passedOtherSeconds += othersSeconds;
  }

  /// Adds what the window held beside this rank's late rounds.
  void window(long window, long roundsInIt, int roundsAStep, double othersSeconds) {
    lastWindow = window;
    rounds += roundsInIt;
    if (roundsAStep > 0) {
      stepRounds = roundsAStep;
    }
    otherBlamedSeconds += othersSeconds;
  }

  /// Goes on with a later window's streak of the same rank.
  void extend(Streak later) {
    longestPauseNanos =
        Math.max(
            Math.max(longestPauseNanos, later.longestPauseNanos), later.sinceNanos - untilNanos);
    untilNanos = later.untilNanos;
    blamedSeconds += later.blamedSeconds;
    // the bad window itself was noted as passed before it was known to be bad
    otherBlamedSeconds += passedOtherSeconds;
    rounds += passedRounds;
    passedOtherSeconds = 0;
    passedRounds = 0;
    episodes += later.episodes;
    stepRounds = later.stepRounds == 0 ? stepRounds : later.stepRounds;
    lastWindow = later.lastWindow;
    for (var proof : later.proofs) {
      if (proofs.size() < MAX_PROOFS) {
        proofs.add(proof);
      }
    }
  }
}
