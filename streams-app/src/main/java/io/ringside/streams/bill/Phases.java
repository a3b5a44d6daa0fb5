package io.ringside.streams.bill;

import io.ringside.streams.waits.Missing.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// A communicator's life in two: when somebody was missing, and when all was as usual.
///
/// A finding says when it was sure; before and after it the same ranks may have been missing as
/// long, and within it there may be times in which they were in time.
///
/// @param missing oldest first
/// @param usual oldest first; without the first bucket, whose steps compile, allocate and connect
record Phases(List<Span> missing, List<Span> usual) {
  /// Beside its time a finding goes on while they are missing for this share of what they are
  /// within.
  private static final double GOES_ON = 0.5;

  /// Who is missing for less than this share of it is in time.
  private static final double IN_TIME = 0.15;

  private static final double MOST_OFTEN = 0.75;

  /// Fewer buckets tell of no trend.
  private static final int FEWEST = 8;

  Phases {
    missing = List.copyOf(missing);
    usual = List.copyOf(usual);
  }

  /// @param spans of the communicator
  /// @param seconds for how long of a bucket they were missing
  /// @param during when the finding holds
  /// @param troubled when another one does, which says nothing of what is usual
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

  /// From the first time on that they were missing to the last.
  Times when() {
    return missing.isEmpty()
        ? Times.NEVER
        : Times.of(missing.getFirst().sinceNanos(), missing.getLast().untilNanos());
  }

  /// How many times as much of the time they were missing in the later half of it as in all of it:
  /// 1 where it is steady.
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

  /// The middle of some values, NaN of none.
  static double median(double[] values) {
    var sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length == 0
        ? Double.NaN
        : sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
