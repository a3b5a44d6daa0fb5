package io.ringside.streams.bill;

import static io.ringside.streams.bill.Phases.median;
import static io.ringside.streams.bill.Phases.sum;

import io.ringside.streams.waits.MissingTime.Span;
import java.util.Arrays;
import java.util.List;

/// Replays the rounds of one communicator as if some ranks had been on time for a while.
///
/// Each round ends sooner by the time in which only these ranks were missing. From that, the waits
/// that they cause at other times are subtracted: they would have been as punctual as usual, not
/// better. Finally, the program's time counts, not that of its calls: if turns minus the missing
/// time are shorter than turns at other times, some of it was hidden behind work, as in programs
/// that run ahead of their GPUs, and would save nothing.
///
/// @param when time when the ranks were missing
/// @param recent rate of missing time in the later half, divided by the rate overall
/// @param seconds seconds in which only these ranks were missing, without the usual amount
/// @param usual the usual amount, in seconds
/// @param hidden seconds that were hidden behind work, according to turns; negative if turns were
///   longer by more than the missing time
/// @param hiddenError error of that, two standard errors; NaN if turns show nothing
record Replay(
    Times when, double recent, double seconds, double usual, double hidden, double hiddenError) {
  static final Replay NOTHING = new Replay(Times.NEVER, 1, 0, 0, 0, Double.NaN);

  /// Least number of buckets with turns, and of turns, that show how long turns take.
  private static final int FEWEST = 4;

  private static final int FEWEST_TURNS = 8;

  /// Factor for a normal distribution: from the median deviation to the standard deviation, and
  /// from that to twice the error of a median.
  private static final double ERROR_OF_DEVIATION = 2 * 1.25 * 1.4826;

  /// Relative error of a replay without information from turns: arrivals show where programs call,
  /// which is not where their GPUs wait.
  private static final double UNSURE = 0.1;

  private static final double SURE = 0.03;

  /// Largest factor by which turns may raise the time saved: clocks that were measured while a rank
  /// was late absorb a part of its lateness.
  private static final double CLOCKS = 1.25;

  /// @param spans buckets of the communicator, for these ranks
  /// @param others number of other ranks in the communicator
  /// @param during when the ranks are to be on time
  /// @param troubled when another fault is known; this time does not show what is usual
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

  /// Seconds that they would have made others wait by chance.
  private static double usual(Phases phases, double missing, int others) {
    double turns = sum(phases.usual(), Span::turns);
    if (turns >= FEWEST_TURNS) {
      // a checkpoint is one long wait: no bucket counts more than those of the finding
      double most = missing / Math.max(1, sum(phases.missing(), Span::turns));
      double seconds =
          sum(phases.usual(), span -> Math.min(span.missingSeconds(), most * span.turns()));
      return sum(phases.missing(), Span::turns) * seconds / turns;
    }
    if (turns == 0 && phases.usual().size() >= FEWEST) {
      return phases.missing().size()
          * median(phases.usual().stream().mapToDouble(Span::missingSeconds).toArray());
    }
    // without a usual time, the other ranks show it: each rank is last equally often
    return sum(phases.missing(), span -> Math.max(0, span.aloneSeconds() - span.missingSeconds()))
        / others;
  }

  private record Middle(double median, double error) {}

  /// How much shorter a turn without its waits is than at other times.
  private static Middle hidden(Phases phases) {
    var now = ownSeconds(phases.missing());
    var before = ownSeconds(phases.usual());
    return now.length < FEWEST || before.length < FEWEST
        ? new Middle(0, Double.NaN)
        : new Middle(median(before) - median(now), Math.hypot(error(before), error(now)));
  }

  /// Seconds of a turn without waits for these ranks, for each bucket.
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

  /// The time saved.
  ///
  /// @param most seconds in which only these ranks were missing, over all communicators: the upper
  ///   limit for longer turns
  SavedTime saved(double most) {
    if (Double.isNaN(hiddenError)) {
      return SavedTime.about(seconds, Math.hypot(UNSURE * seconds, usual / 2));
    }
    double believed = believed();
    double estimate = Math.clamp(seconds - believed, 0, Math.max(most, CLOCKS * seconds));
    double error =
        Math.hypot(Math.min(Math.abs(hidden), hiddenError), Math.hypot(SURE * seconds, usual / 4));
    return SavedTime.about(estimate, error);
  }

  /// Hidden time weighted by its certainty: a value that is small compared with its error counts as
  /// zero, a large one nearly in full (James and Stein's estimate).
  private double believed() {
    double times = hidden / Math.max(hiddenError / 2, Double.MIN_NORMAL);
    return Math.abs(times) <= Math.sqrt(2) ? 0 : hidden * (1 - 2 / (times * times));
  }
}
