package io.ringside.streams.join.job;

import io.ringside.schemas.event.Evidence;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Cuts the rounds of a communicator into turns. Rounds of one training step depend on each other, so a
/// step counts once: as many rounds as it takes for operations and sizes to repeat; where all calls are
/// alike, rounds without a pause between them (half of what is usual for those not called together).
/// Where neither shows, each round is a turn.
final class Turns {
  private static final int LOOK_EVERY = 32;
  private static final int MANY = 512;

  /// Rounds that are complete within this many seconds of each other were called together.
  private static final double TOGETHER = 0.005;

  private StepPeriod period = new StepPeriod();
  private Reservoir intervals = new Reservoir(256);
  private Reservoir steps = new Reservoir(256);
  private double stepSeconds;
  private int roundsAStep;
  private double pauseSeconds;
  private long added;
  private Turn turn = new Turn();
  private long previousNanos = Long.MIN_VALUE;
  private long previousTurnNanos = Long.MIN_VALUE;

  /// Adds a round.
  ///
  /// @return the turn that came to its end, if one did
  @Nullable Turn add(int signature, Arrival arrival, Map<Integer, Evidence> lines) {
    period.add(signature);
    double interval =
        previousNanos == Long.MIN_VALUE
            ? 0
            : Math.max(0, arrival.lastNanos() - previousNanos) / 1e9;
    previousNanos = Math.max(previousNanos, arrival.lastNanos());
    if (interval >= TOGETHER) {
      intervals.add(interval);
    }
    if (++added % (added < MANY ? LOOK_EVERY : MANY) == 0) {
      look();
    }
    Turn done = null;
    if (roundsAStep == 1 && turn.rounds() > 0 && interval >= pauseSeconds) {
      done = next();
    }
    turn.add(arrival, lines);
    if (roundsAStep != 1 && turn.rounds() >= Math.max(1, roundsAStep)) {
      done = next();
    }
    return done;
  }

  private void look() {
    roundsAStep = period.rounds();
    pauseSeconds = intervals.quantile(0.5) / 2;
    stepSeconds = steps.quantile(0.5);
  }

  private Turn next() {
    var done = turn;
    if (previousTurnNanos != Long.MIN_VALUE) {
      steps.add(Math.max(0, done.untilNanos() - previousTurnNanos) / 1e9);
    }
    previousTurnNanos = done.untilNanos();
    turn = new Turn();
    return done;
  }

  /// Whether turns are training steps.
  boolean steps() {
    return roundsAStep > 0;
  }

  /// How many rounds make a step, 0 if that does not show.
  int roundsAStep() {
    return roundsAStep;
  }

  /// How long a turn takes, in seconds: the median; 0 at first.
  double stepSeconds() {
    return stepSeconds;
  }
}
