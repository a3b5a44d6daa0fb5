package io.ringside.streams.waits;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.KeptBlocks;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Cuts the rounds of a communicator into turns. Rounds of one training step depend on each other,
/// so a step counts once: it has as many rounds as it takes for operations and sizes to repeat. If
/// all calls are alike, a turn consists of rounds without a pause between them; a pause is half of
/// the usual time between rounds that are not called together. If neither shows, each round is a
/// turn.
final class Turns {
  private static final int LOOK_EVERY = 32;
  private static final int MANY = 512;

  /// After rounds were left out, operations and sizes must be known of this many rounds before the
  /// period is looked up again.
  private static final int ENOUGH = 1024;

  /// Rounds that are complete within this many seconds of each other were called together.
  private static final double TOGETHER = 0.005;

  private StepPeriod period = new StepPeriod();
  private Reservoir intervals = new Reservoir(256);
  private Reservoir steps = new Reservoir(256);
  private double stepSeconds;
  private int roundsAStep;
  private double pauseSeconds;
  private long added;
  private long addedBefore;
  private Turn turn = Turn.withCalled();

  /// Whether the turn began in the middle of a step, since rounds were left out.
  private boolean within;

  private long previousNanos = Long.MIN_VALUE;
  private long previousTurnNanos = Long.MIN_VALUE;
  private long previousWorkedNanos;

  /// Adds a round.
  ///
  /// @param called the same round, whether or not others call on before the late rank comes
  /// @param drawn makes the round's record from the last rank's line
  /// @param restedNanos nanoseconds in all for which no rank called before the round
  /// @return the turn that ended, if one did
  @Nullable Turn add(
      int signature,
      Arrival arrival,
      Arrival called,
      Map<Integer, Evidence> lines,
      Function<String, LateRound> drawn,
      long restedNanos) {
    period.add(signature);
    double interval =
        previousNanos == Long.MIN_VALUE
            ? 0
            : Nanos.seconds(Math.max(0, arrival.lastNanos() - previousNanos));
    previousNanos = arrival.lastNanos();
    if (interval >= TOGETHER) {
      intervals.add(interval);
    }
    if (++added % (added < MANY ? LOOK_EVERY : MANY) == 0
        && (addedBefore == 0 || added - addedBefore >= ENOUGH)) {
      look();
    }
    Turn done = null;
    if (roundsAStep == 1 && turn.rounds() > 0 && interval >= pauseSeconds) {
      boolean whole = !within;
      done = next();
      within = false;
      done = whole ? done : null;
    }
    turn.add(arrival, called, lines, drawn, restedNanos);
    if (roundsAStep != 1 && turn.rounds() >= Math.max(1, roundsAStep)) {
      done = next();
    }
    return done;
  }

  /// Records that the next rounds are left out.
  ///
  /// @return the current turn, if it shows as much as a whole one: waits come right after a pause
  @Nullable Turn pause() {
    if (addedBefore == added) {
      return null;
    }
    addedBefore = added;
    var last = turn;
    boolean whole = roundsAStep == 1 && !within && last.rounds() > 0;
    turn = Turn.withCalled();
    within = true;
    period = new StepPeriod();
    previousNanos = Long.MIN_VALUE;
    previousTurnNanos = Long.MIN_VALUE;
    return whole ? last : null;
  }

  /// Number of turns that one stands for if each round stands for several: turns at the ends of a
  /// block of rounds are not whole.
  double weight(double ofRound) {
    int rounds = Math.max(1, roundsAStep);
    int whole = KeptBlocks.BLOCK / rounds * rounds;
    return ofRound <= 1 || whole == 0 ? ofRound : ofRound * KeptBlocks.BLOCK / whole;
  }

  private void look() {
    roundsAStep = period.rounds();
    pauseSeconds = intervals.quantile(0.5) / 2;
    stepSeconds = steps.quantile(0.5);
  }

  private Turn next() {
    var done = turn;
    if (previousTurnNanos != Long.MIN_VALUE) {
      done.after(previousTurnNanos, previousWorkedNanos);
      steps.add(done.seconds());
    }
    previousTurnNanos = done.untilNanos();
    previousWorkedNanos = done.workedNanos();
    turn = Turn.withCalled();
    return done;
  }

  /// Number of rounds that were added.
  long rounds() {
    return added;
  }

  /// Whether turns are training steps.
  boolean steps() {
    return roundsAStep > 0;
  }

  /// Number of rounds in a step, 0 if steps do not show.
  int roundsAStep() {
    return roundsAStep;
  }

  /// Time without a call between two turns, if a round is a step, in seconds.
  double pauseSeconds() {
    return pauseSeconds;
  }

  /// How long a turn takes, in seconds: the median; 0 at first.
  double stepSeconds() {
    return stepSeconds;
  }
}
