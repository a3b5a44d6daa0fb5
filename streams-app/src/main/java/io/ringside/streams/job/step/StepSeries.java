package io.ringside.streams.job.step;

import io.ringside.schemas.event.Evidence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Step times of one kind of line from one log file, in the order of the file. Bounded: at most
/// {@value #MAX_SEGMENTS} segments of equally many observations with one line each, so about 40 KB.
public final class StepSeries {
  /// Most segments. When they are used up, each two become one.
  public static final int MAX_SEGMENTS = 120;

  private static final int MAX_VALUES = 8;

  private int every = 1;
  private long stepsBefore;
  private long steps;
  private long observations;
  private final List<Segment> segments = new ArrayList<>();

  StepSeries() {}

  /// Consecutive observations.
  public static final class Segment {
    private long sinceNanos;
    private long untilNanos;
    private long steps;
    private int observations;
    private double seconds;
    private double[] millis = new double[0];
    private double tokens;
    private long stepsOfTokens;
    private Evidence line = new Evidence(null, "", "", "", -1, "");

    Segment() {}

    private Segment(Observation observation) {
      sinceNanos = observation.sinceNanos();
      untilNanos = observation.untilNanos();
      steps = observation.steps();
      observations = 1;
      seconds = observation.seconds();
      millis = new double[] {1000 * observation.seconds() / observation.steps()};
      if (observation.tokens() > 0) {
        tokens = observation.tokens() * observation.steps();
        stepsOfTokens = observation.steps();
      }
      line = observation.line();
    }

    private void add(Segment later) {
      untilNanos = later.untilNanos;
      steps += later.steps;
      observations += later.observations;
      seconds += later.seconds;
      tokens += later.tokens;
      stepsOfTokens += later.stepsOfTokens;
      var all = Arrays.copyOf(millis, millis.length + later.millis.length);
      System.arraycopy(later.millis, 0, all, millis.length, later.millis.length);
      Arrays.sort(all);
      millis = all.length <= MAX_VALUES ? all : thinned(all);
    }

    /// Evenly spread values of the sorted ones, the middle kept.
    private static double[] thinned(double[] sorted) {
      var kept = new double[MAX_VALUES];
      for (int i = 0; i < MAX_VALUES; i++) {
        kept[i] = sorted[(int) Math.round((i + 0.5) * sorted.length / MAX_VALUES - 0.5)];
      }
      return kept;
    }

    /// When the first of its steps began, in nanoseconds of the series' own clock.
    public long sinceNanos() {
      return sinceNanos;
    }

    /// When the last of its steps ended, in nanoseconds of the series' own clock.
    public long untilNanos() {
      return untilNanos;
    }

    public long steps() {
      return steps;
    }

    /// Number of lines about these steps.
    public int observations() {
      return observations;
    }

    /// Total time of these steps in seconds.
    public double seconds() {
      return seconds;
    }

    /// Tokens of those of its steps whose tokens are known.
    public double tokens() {
      return tokens;
    }

    /// Number of its steps whose tokens are known.
    public long stepsOfTokens() {
      return stepsOfTokens;
    }

    /// Median time of a step in milliseconds. Rare events, such as a checkpoint or an evaluation,
    /// do not show in it.
    public double medianMillis() {
      return millis.length == 0 ? 0 : millis[millis.length / 2];
    }

    /// Number of its observations that are kept. They are spread like all of them.
    public int values() {
      return millis.length;
    }

    /// One of the kept observations in milliseconds a step, the shortest first.
    public double millis(int value) {
      return millis[value];
    }

    /// The line that ended the first observation.
    public Evidence line() {
      return line;
    }
  }

  /// What one line states about the steps since the line before.
  ///
  /// @param seconds that all steps took together
  /// @param tokens of one step, NaN if unknown
  record Observation(
      long sinceNanos, long untilNanos, long steps, double seconds, double tokens, Evidence line) {}

  void add(Observation observation) {
    steps += observation.steps();
    observations++;
    var last = segments.isEmpty() ? null : segments.getLast();
    if (last != null && last.observations < every) {
      last.add(new Segment(observation));
      return;
    }
    if (segments.size() == MAX_SEGMENTS) {
      fold();
      if (segments.getLast().observations < every) {
        segments.getLast().add(new Segment(observation));
        return;
      }
    }
    segments.add(new Segment(observation));
  }

  private void fold() {
    var pairs = new ArrayList<Segment>();
    for (int i = 0; i < segments.size(); i += 2) {
      var first = segments.get(i);
      if (i + 1 < segments.size()) {
        first.add(segments.get(i + 1));
      }
      pairs.add(first);
    }
    segments.clear();
    segments.addAll(pairs);
    every *= 2;
  }

  /// Forgets everything, as when the batch size changed.
  void clear() {
    every = 1;
    segments.clear();
  }

  /// Records that the first observation comes after this many steps of the same program.
  void beginsAfter(long count) {
    stepsBefore = count;
  }

  /// How many steps the program made before those of the first segment, as far as that is known.
  public long stepsBefore() {
    return stepsBefore;
  }

  /// Segments, oldest first.
  public List<Segment> segments() {
    return segments;
  }

  /// Steps seen, including those from before {@link #clear}.
  public long steps() {
    return steps;
  }

  /// Lines seen.
  public long observations() {
    return observations;
  }
}
