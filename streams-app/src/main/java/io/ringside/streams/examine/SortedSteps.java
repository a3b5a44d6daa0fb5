package io.ringside.streams.examine;

import io.ringside.streams.job.step.StepSeries.Segment;
import java.util.Arrays;

/// A growing list of step times in ascending order. Not thread-safe.
final class SortedSteps {
  private double[] millis = new double[64];
  private int size;
  private int lines;
  private long steps;
  private double seconds;
  private double tokens;
  private long stepsOfTokens;

  void add(Segment segment) {
    lines += segment.observations();
    steps += segment.steps();
    seconds += segment.seconds();
    tokens += segment.tokens();
    stepsOfTokens += segment.stepsOfTokens();
    merge(segment);
  }

  /// Merges from the largest value down: values below the smallest new one stay where they are.
  private void merge(Segment segment) {
    int own = size - 1;
    int other = segment.values() - 1;
    size += segment.values();
    if (size > millis.length) {
      millis = Arrays.copyOf(millis, 2 * size);
    }
    for (int at = size - 1; other >= 0; at--) {
      boolean ownIsGreater = own >= 0 && millis[own] > segment.millis(other);
      millis[at] = ownIsGreater ? millis[own--] : segment.millis(other--);
    }
  }

  /// Number of lines that report the steps.
  int lines() {
    return lines;
  }

  long steps() {
    return steps;
  }

  /// Total time of the steps, in seconds.
  double seconds() {
    return seconds;
  }

  /// Mean number of tokens of a step, in the program's own unit, NaN if it states none.
  double tokens() {
    return stepsOfTokens == 0 ? Double.NaN : tokens / stepsOfTokens;
  }

  /// Median milliseconds of a step, NaN if there are none.
  double median() {
    return size == 0 ? Double.NaN : millis[size / 2];
  }

  /// Milliseconds of the step that is longer than this share of all steps, 0 to 1.
  double quantile(double share) {
    return millis[(int) Math.round(share * (size - 1))];
  }

  /// Median of the distances to the median, in milliseconds.
  double deviation() {
    double median = median();
    return Arrays.stream(millis, 0, size)
        .map(value -> Math.abs(value - median))
        .sorted()
        .skip(size / 2)
        .findFirst()
        .orElse(Double.NaN);
  }
}
