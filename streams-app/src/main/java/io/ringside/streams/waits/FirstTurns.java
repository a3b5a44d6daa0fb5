package io.ringside.streams.waits;

import java.util.Arrays;

/// Durations of the first turns of a series, in order.
final class FirstTurns {
  private static final int KEPT = 64;

  private double[] seconds = new double[0];
  private int turns;

  void add(double turnSeconds) {
    if (turns == KEPT) {
      return;
    }
    if (turns == seconds.length) {
      seconds = Arrays.copyOf(seconds, Math.min(KEPT, 8 + 2 * turns));
    }
    seconds[turns++] = turnSeconds;
  }

  void addAll(FirstTurns next) {
    for (int turn = 0; turn < next.turns; turn++) {
      add(next.seconds[turn]);
    }
  }

  /// Whether no more turns are kept.
  boolean full() {
    return turns == KEPT;
  }

  Pace mean() {
    return Pace.mean(Arrays.copyOf(seconds, turns));
  }

  /// The median in seconds; 0 if there are fewer turns than `least`.
  double median(int least) {
    return turns < least ? 0 : Arrays.stream(seconds, 0, turns).sorted().toArray()[turns / 2];
  }

  /// Mean duration in seconds of their first or second half, whichever took less.
  double leastHalf() {
    return Math.min(
        Pace.mean(Arrays.copyOf(seconds, turns / 2)).seconds(),
        Pace.mean(Arrays.copyOfRange(seconds, turns / 2, turns)).seconds());
  }
}
