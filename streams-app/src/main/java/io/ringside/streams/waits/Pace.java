package io.ringside.streams.waits;

/// How long turns of a program take, and by how much that may be wrong: the median and its error.
///
/// @param seconds the median
/// @param error by how many seconds it may be wrong, two standard errors
/// @param turns of how many turns
record Pace(double seconds, double error, int turns) {
  /// Nothing is known.
  static final Pace UNKNOWN = new Pace(0, 0, 0);

  /// A normal distribution's quartiles lie 1.35 standard deviations apart, and its median is 1.25 times as uncertain as
  /// its mean.
  private static final double ERROR_OF_MEDIAN = 1.25;

  private static final double ERROR_OF_SPREAD = 2 * ERROR_OF_MEDIAN / 1.35;

  /// By how many seconds a single turn may differ from it, two standard deviations.
  double scatter() {
    return error * Math.sqrt(turns) / ERROR_OF_MEDIAN;
  }

  static Pace of(Reservoir seconds) {
    int turns = seconds.size();
    double spread = seconds.quantile(0.75) - seconds.quantile(0.25);
    return turns == 0
        ? UNKNOWN
        : new Pace(seconds.quantile(0.5), ERROR_OF_SPREAD * spread / Math.sqrt(turns), turns);
  }
}
