package io.ringside.streams.waits;

import java.util.Arrays;

/// How long turns of a program take, as median or mean, and how far that may be wrong.
///
/// @param seconds the median or mean
/// @param error by how many seconds it may be wrong: two standard errors of a median
/// @param turns of how many turns
record Pace(double seconds, double error, int turns) {
  /// Nothing is known.
  static final Pace UNKNOWN = new Pace(0, 0, 0);

  /// A normal distribution's quartiles lie 1.35 standard deviations apart, and its median is 1.25
  /// times as uncertain as its mean.
  private static final double ERROR_OF_MEDIAN = 1.25;

  private static final double ERROR_OF_SPREAD = 2 * ERROR_OF_MEDIAN / 1.35;

  /// A turn that took less than this share of the median was called together with the one before.
  private static final double SHORT = 0.5;

  /// By how many seconds a single turn may differ from it, two standard deviations.
  double scatter() {
    return error * Math.sqrt(turns) / ERROR_OF_MEDIAN;
  }

  /// The mean of consecutive turns, for programs that run ahead. After each wait for the GPU they
  /// call several turns at once, so the median shows little. A turn that is longer than such a
  /// burst explains contains a pause, and counts with the median. The first and the last turn may
  /// be off an even pace by as much as turns ever were, which gives the error.
  static Pace mean(double[] seconds) {
    int turns = seconds.length;
    if (turns == 0) {
      return UNKNOWN;
    }
    double median = Arrays.stream(seconds).sorted().toArray()[turns / 2];
    double longest = (2 + burst(seconds, SHORT * median)) * median;
    var worked = Arrays.stream(seconds).map(turn -> turn > longest ? median : turn).toArray();
    double mean = Arrays.stream(worked).sum() / turns;
    double off = 0;
    double least = 0;
    double most = 0;
    for (double turn : worked) {
      off += turn - mean;
      least = Math.min(least, off);
      most = Math.max(most, off);
    }
    return new Pace(mean, (most - least) / turns, turns);
  }

  /// The most consecutive turns that took less.
  private static int burst(double[] seconds, double less) {
    int most = 0;
    int inARow = 0;
    for (double turn : seconds) {
      inARow = turn < less ? inARow + 1 : 0;
      most = Math.max(most, inARow);
    }
    return most;
  }

  static Pace of(Reservoir seconds) {
    int turns = seconds.size();
    double spread = seconds.quantile(0.75) - seconds.quantile(0.25);
    return turns == 0
        ? UNKNOWN
        : new Pace(seconds.quantile(0.5), ERROR_OF_SPREAD * spread / Math.sqrt(turns), turns);
  }
}
