package io.ringside.streams.detect.step;

import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.join.step.StepSeries.Segment;
import io.ringside.streams.join.step.StepTrack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// What a series of step times says: how long a step normally takes, and when it took longer.
///
/// Read from front to back. The median of the newest few lines is compared with the median of all healthy
/// ones before; once it is well above, a slow stretch has begun, which lasts until steps are back. A single
/// long step, such as a checkpoint or an evaluation, moves neither median.
public final class StepTimes {
  /// From a median absolute deviation to a standard deviation, for values of a normal distribution.
  private static final double MAD_TO_SIGMA = 1.4826;

  private final List<Segment> segments;
  private final Thresholds.Steps limit;
  private final boolean[] slow;
  private final List<Stretch> stretches = new ArrayList<>();

  private StepTimes(List<Segment> segments, Thresholds.Steps limit) {
    this.segments = segments;
    this.limit = limit;
    this.slow = new boolean[segments.size()];
  }

  /// Steps that took longer than before.
  ///
  /// @param before the last healthy segment, with
  /// @param first and
  /// @param last the slow ones
  /// @param baselineMillis what a step took before
  /// @param millis what one took then
  /// @param lostSeconds wall-clock seconds that they took longer in all
  /// @param open whether it still is so
  public record Stretch(
      Segment before,
      Segment first,
      Segment last,
      double baselineMillis,
      double millis,
      long steps,
      double lostSeconds,
      boolean open) {
    /// How many times longer a step took.
    public double ratio() {
      return millis / baselineMillis;
    }
  }

  /// Reads the track's series.
  public static StepTimes of(StepTrack track, Thresholds.Steps limit) {
    var times = new StepTimes(afterWarmUp(track.series().segments(), limit.warmUpSteps()), limit);
    times.read();
    return times;
  }

  private static List<Segment> afterWarmUp(List<Segment> all, int steps) {
    long skipped = 0;
    int from = 0;
    while (from < all.size() && skipped < steps) {
      skipped += all.get(from++).steps();
    }
    return all.subList(from, all.size());
  }

  /// Slow stretches, oldest first.
  public List<Stretch> stretches() {
    return List.copyOf(stretches);
  }

  /// Median time of a healthy step, NaN before there are enough of them.
  public double baselineMillis() {
    int[] healthy = where(i -> !slow[i]);
    return enough(healthy) ? median(healthy) : Double.NaN;
  }

  /// Median time of all steps after the first ones, NaN if there are none.
  public double medianMillis() {
    return segments.isEmpty() ? Double.NaN : median(where(_ -> true));
  }

  /// Median time of the newest steps, NaN before there are enough of them.
  public double recentMillis() {
    int last = segments.size() - 1;
    return last >= 0 && enough(where(_ -> true)) ? median(window(last, 0)) : Double.NaN;
  }

  /// How many steps tell the baseline.
  public long steps() {
    return steps(where(i -> !slow[i]));
  }

  private void read() {
    int after = 0;
    int at = 0;
    while (at < segments.size()) {
      int[] window = window(at, after);
      int[] before = where(i -> i < window[0] && !slow[i]);
      if (enough(before) && median(window) > threshold(before)) {
        at = follow(at, edge(before));
        after = at;
      } else {
        at++;
      }
    }
  }

  /// Follows a slow stretch that shows at this place to its beginning and its end.
  ///
  /// @param edge what is above in milliseconds is still slow
  /// @return the place after it
  private int follow(int at, double edge) {
    int first = at;
    while (first > 1 && !slow[first - 1] && millis(first - 1) > edge) {
      first--;
    }
    int begin = first;
    int last = at;
    for (int next = at + 1; next < segments.size(); next++) {
      double half = Math.max(edge, halfway(begin, last));
      if (millis(next) > half) {
        last = next;
      } else if (median(window(next, begin)) <= half) {
        break;
      }
    }
    int end = last;
    int[] stretch = where(i -> i >= begin && i <= end);
    int[] before = where(i -> i < begin && !slow[i]);
    double seconds = Arrays.stream(stretch).mapToDouble(i -> segments.get(i).seconds()).sum();
    if (enough(before)
        && lines(stretch) >= limit.slowLines()
        && steps(stretch) >= limit.slowSteps()
        && seconds * 1000 >= limit.slowFor().toMillis()
        && median(stretch) >= limit.ratio() * median(before)
        && quantile(stretch, 0.25) > quantile(before, 0.75)) {
      double base = median(before);
      stretches.add(
          new Stretch(
              segments.get(before[before.length - 1]),
              segments.get(begin),
              segments.get(end),
              base,
              median(stretch),
              steps(stretch),
              seconds - steps(stretch) * base / 1000,
              end == segments.size() - 1));
      Arrays.fill(slow, begin, end + 1, true);
    }
    return end + 1;
  }

  /// Between what steps took before and what they take in the stretch: below it they are back.
  private double halfway(int begin, int last) {
    double before = median(where(i -> i < begin && !slow[i]));
    return (before + median(where(i -> i >= begin && i <= last))) / 2;
  }

  /// The newest segments up to this one that make up enough lines.
  private int[] window(int at, int least) {
    int from = at;
    int lines = segments.get(at).observations();
    while (from > least && lines < limit.windowLines()) {
      lines += segments.get(--from).observations();
    }
    return IntStream.rangeClosed(from, at).toArray();
  }

  private boolean enough(int[] healthy) {
    return lines(healthy) >= limit.baselineLines() && steps(healthy) >= limit.baselineSteps();
  }

  /// What the median of the newest must exceed to be slow.
  private double threshold(int[] healthy) {
    double base = median(healthy);
    double deviation =
        middle(
            Arrays.stream(values(healthy)).map(value -> Math.abs(value - base)).sorted().toArray());
    return Math.max(limit.ratio() * base, base + limit.overNoise() * MAD_TO_SIGMA * deviation);
  }

  private double edge(int[] healthy) {
    return (median(healthy) + threshold(healthy)) / 2;
  }

  private int[] where(IntPredicate test) {
    return IntStream.range(0, segments.size()).filter(test).toArray();
  }

  private double millis(int at) {
    return segments.get(at).medianMillis();
  }

  private double median(int[] places) {
    return middle(values(places));
  }

  /// Ascending.
  private double[] values(int[] places) {
    return Arrays.stream(places)
        .mapToObj(segments::get)
        .flatMapToDouble(Segment::values)
        .sorted()
        .toArray();
  }

  private double quantile(int[] places, double share) {
    double[] sorted = values(places);
    return sorted[(int) Math.round(share * (sorted.length - 1))];
  }

  private static double middle(double[] sorted) {
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }

  private long steps(int[] places) {
    return Arrays.stream(places).mapToLong(i -> segments.get(i).steps()).sum();
  }

  private int lines(int[] places) {
    return Arrays.stream(places).map(i -> segments.get(i).observations()).sum();
  }
}
