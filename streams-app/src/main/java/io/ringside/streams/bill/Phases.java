package io.ringside.streams.bill;

import io.ringside.streams.waits.MissingTime.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Divides a communicator's time in two: when some ranks were missing, and when all was as usual.
///
/// A finding names the time in which it was certain. Before and after that the same ranks may have
/// been missing as long, and within it they may have been on time at times.
///
/// @param missing buckets with missing ranks, oldest first
/// @param usual the other buckets, oldest first; without the very first one, whose steps compile,
///   allocate and connect
record Phases(List<Span> missing, List<Span> usual) {
  /// A finding extends beyond its own time while the ranks are missing for this share of the level
  /// within it.
  private static final double GOES_ON = 0.5;

  /// Ranks that are missing for less than this share of the level are on time.
  private static final double IN_TIME = 0.15;

  private static final double MOST_OFTEN = 0.75;

  /// Least number of buckets that show a trend.
  private static final int FEWEST = 8;

  Phases {
    missing = List.copyOf(missing);
    usual = List.copyOf(usual);
  }

  /// @param spans buckets of the communicator
  /// @param seconds how long ranks were missing in a bucket
  /// @param during when the finding holds
  /// @param troubled when another finding holds; this time does not show what is usual
  static Phases of(List<Span> spans, ToDoubleFunction<Span> seconds, Times during, Times troubled) {
    var within = new boolean[spans.size()];
    var rates = new double[spans.size()];
    for (int i = 0; i < rates.length; i++) {
      within[i] = during.touches(spans.get(i));
      rates[i] = seconds.applyAsDouble(spans.get(i)) / spans.get(i).seconds();
    }
    double level = level(rates, within);
    goOn(rates, within, GOES_ON * level);
    var missing = new ArrayList<Span>();
    var usual = new ArrayList<Span>();
    for (int i = 0; i < rates.length; i++) {
      if (within[i] && rates[i] > IN_TIME * level) {
        missing.add(spans.get(i));
      } else if (i > 0 && (within[i] || !troubled.touches(spans.get(i)))) {
        usual.add(spans.get(i));
      }
    }
    return new Phases(missing, usual);
  }

  private static double level(double[] rates, boolean[] within) {
    var then = new ArrayList<Double>();
    for (int i = 0; i < rates.length; i++) {
      if (within[i]) {
        then.add(rates[i]);
      }
    }
    var sorted = then.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(int) (MOST_OFTEN * (sorted.length - 1))];
  }

  private static void goOn(double[] rates, boolean[] within, double least) {
    if (least <= 0) {
      return;
    }
    for (int i = 1; i < rates.length; i++) {
      within[i] |= within[i - 1] && rates[i] >= least;
    }
    for (int i = rates.length - 2; i > 0; i--) {
      within[i] |= within[i + 1] && rates[i] >= least;
    }
  }

  /// The time from the first to the last bucket with missing ranks.
  Times when() {
    return missing.isEmpty()
        ? Times.NEVER
        : Times.of(missing.getFirst().sinceNanos(), missing.getLast().untilNanos());
  }

  /// Rate of missing time in the later half, divided by the rate overall: 1 if it is steady.
  double recent(ToDoubleFunction<Span> seconds) {
    if (missing.size() < FEWEST) {
      return 1;
    }
    long since = missing.getFirst().sinceNanos();
    long until = missing.getLast().untilNanos();
    double all = rate(seconds, since, until);
    return all <= 0 ? 1 : Math.max(0, rate(seconds, since + (until - since) / 2, until) / all);
  }

  private double rate(ToDoubleFunction<Span> seconds, long since, long until) {
    double late = 0;
    double time = 0;
    for (var span : missing) {
      if (span.sinceNanos() >= since) {
        late += seconds.applyAsDouble(span);
        time += span.seconds();
      }
    }
    for (var span : usual) {
      if (span.sinceNanos() >= since && span.untilNanos() <= until) {
        time += span.seconds();
      }
    }
    return time == 0 ? 0 : late / time;
  }

  static double sum(List<Span> spans, ToDoubleFunction<Span> of) {
    return spans.stream().mapToDouble(of).sum();
  }

  /// The median of the values, NaN if there are none.
  static double median(double[] values) {
    var sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length == 0
        ? Double.NaN
        : sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
