package io.ringside.streams.waits;

/// The longest waits for a rank, to tell pauses from late steps.
///
/// A rank that evaluates or writes a checkpoint for a minute, and is also late by 50 ms in some
/// steps, counts as late by the 50 ms. Otherwise the minute would dominate every figure.
final class Pauses {
  /// A pause is this many times as long as the other waits are on average.
  private static final double FAR_LONGER = 10;

  private double longest;
  private double second;
  private double third;

  void add(double seconds) {
    if (seconds > longest) {
      third = second;
      second = longest;
      longest = seconds;
    } else if (seconds > second) {
      third = second;
      second = seconds;
    } else if (seconds > third) {
      third = seconds;
    }
  }

  void addAll(Pauses other) {
    add(other.longest);
    add(other.second);
    add(other.third);
  }

  /// @param all seconds of all waits, including these and those that stand for others
  /// @param waits number of all waits
  /// @return seconds of the pauses among them
  double seconds(double all, long waits) {
    double three = longest + second + third;
    double others = waits > 3 ? (all - three) / (waits - 3) : Double.MAX_VALUE;
    double seconds = 0;
    for (double wait : new double[] {longest, second, third}) {
      seconds += wait > FAR_LONGER * others ? wait : 0;
    }
    return seconds;
  }
}
