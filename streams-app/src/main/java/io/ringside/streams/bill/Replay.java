package io.ringside.streams.bill;

import static io.ringside.streams.bill.Phases.median;
import static io.ringside.streams.bill.Phases.sum;

import io.ringside.streams.waits.Missing.Span;
import java.util.Arrays;
import java.util.List;

/// Plays the rounds of one communicator again with some ranks in time for a while.
///
/// Each round is over sooner by the time in which nobody but they were missing. Of that goes what
/// they make others wait at other times: they would have been in time as usual, not earlier than
/// anybody. And as it is the program that counts, not its calls: where turns, with that time taken
/// off, are shorter than turns at other times, some of it was hidden behind work, as in programs
/// that run ahead of their GPUs, and saves nothing.
///
/// @param when they were missing
/// @param recent how many times as much of the time they were missing in the later half of that as
///   in all of it
/// @param seconds in which nobody but they were missing, less what is usual
/// @param usual what that was
/// @param hidden how much of it turns say was hidden behind work; negative where turns were longer
///   by more than that
/// @param hiddenError by how much that may be wrong, two standard errors; NaN where turns tell
///   nothing
record Replay(
    Times when, double recent, double seconds, double usual, double hidden, double hiddenError) {
  static final Replay NOTHING = new Replay(Times.NEVER, 1, 0, 0, 0, Double.NaN);

  /// Fewer buckets with turns, or fewer turns, tell nothing of how long these take.
  private static final int FEWEST = 4;

  private static final int FEWEST_TURNS = 8;

  /// Of a normal distribution: from the median deviation to the standard deviation, and from that
  /// to twice the error of a median.
  private static final double ERROR_OF_DEVIATION = 2 * 1.25 * 1.4826;

  /// What a replay may be wrong by where nothing is known: arrivals are seen where programs call,
  /// which is not where their GPUs wait.
  private static final double UNSURE = 0.1;

  private static final double SURE = 0.03;

  /// Clocks that were measured while a rank was late take some of that for their own: turns may say
  /// so much more.
  private static final double CLOCKS = 1.25;

  /// @param spans of the communicator, as they concern these ranks
  /// @param others how many ranks of the communicator are none of them
  /// @param during when they are to be in time
  /// @param troubled when anything else is known to be wrong, which says nothing of what is usual
  static Replay of(List<Span> spans, int others, Times during, Times troubled) {
    var phases = Phases.of(spans, Span::missingSeconds, during, troubled);
    double missing = sum(phases.missing(), Span::missingSeconds);
    double turns = sum(phases.missing(), Span::turns);
    double usual = usual(phases, missing, others);
    var hidden = hidden(phases);
    return new Replay(
        phases.when(),
        phases.recent(Span::missingSeconds),
        Math.max(0, missing - usual),
        Math.min(usual, missing),
        turns * hidden.median(),
        turns * hidden.error());
  }

  /// What they would have made others wait by chance.
  private static double usual(Phases phases, double missing, int others) {
    double turns = sum(phases.usual(), Span::turns);
    if (turns >= FEWEST_TURNS) {
      // a checkpoint is one long wait: no bucket says more than those of the finding
      double most = missing / Math.max(1, sum(phases.missing(), Span::turns));
      double seconds =
          sum(phases.usual(), span -> Math.min(span.missingSeconds(), most * span.turns()));
      return sum(phases.missing(), Span::turns) * seconds / turns;
    }
    if (turns == 0 && phases.usual().size() >= FEWEST) {
      return phases.missing().size()
          * median(phases.usual().stream().mapToDouble(Span::missingSeconds).toArray());
    }
    // without another time the other ranks tell: any one of them is last as often
    return sum(phases.missing(), span -> Math.max(0, span.aloneSeconds() - span.missingSeconds()))
        / others;
  }

  private record Middle(double median, double error) {}

  /// By how much a turn is shorter than at other times once its waits are taken off.
  private static Middle hidden(Phases phases) {
    var now = ownSeconds(phases.missing());
    var before = ownSeconds(phases.usual());
    return now.length < FEWEST || before.length < FEWEST
        ? new Middle(0, Double.NaN)
        : new Middle(median(before) - median(now), Math.hypot(error(before), error(now)));
  }

  /// How long a turn of each bucket takes without waits for these ranks.
  private static double[] ownSeconds(List<Span> spans) {
    return spans.stream()
        .filter(span -> span.turns() > 0)
        .mapToDouble(span -> Math.max(0, span.turnSeconds() - span.missingSeconds()) / span.turns())
        .toArray();
  }

  private static double error(double[] values) {
    double middle = median(values);
    return ERROR_OF_DEVIATION
        * median(Arrays.stream(values).map(value -> Math.abs(value - middle)).toArray())
        / Math.sqrt(values.length);
  }

  /// What is saved.
  ///
  /// @param most in which these ranks alone were missing in all communicators: what turns took
  ///   longer is believed up to there
  Saved saved(double most) {
    if (Double.isNaN(hiddenError)) {
      return Saved.about(seconds, Math.hypot(UNSURE * seconds, usual / 2));
    }
    double believed = believed();
    double estimate = Math.clamp(seconds - believed, 0, Math.max(most, CLOCKS * seconds));
    double error =
        Math.hypot(Math.min(Math.abs(hidden), hiddenError), Math.hypot(SURE * seconds, usual / 4));
    return Saved.about(estimate, error);
  }

  /// Little beside its error is nothing, much counts nearly in full (James and Stein's estimate).
  private double believed() {
    double times = hidden / Math.max(hiddenError / 2, Double.MIN_NORMAL);
    return Math.abs(times) <= Math.sqrt(2) ? 0 : hidden * (1 - 2 / (times * times));
  }
}
