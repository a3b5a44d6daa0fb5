package io.ringside.streams.join.job;

import java.util.Arrays;

/// Finds how many rounds make a training step: the shortest period in which operations and sizes
/// repeat. Bounded by the last {@value #MEMORY} rounds.
final class StepPeriod {
  private static final int MEMORY = 2048;
  private static final double ALIKE = 0.97;

  /// So many calls alike are no mere part of a step.
  private static final int LEAST_ALIKE = 24;

  private int[] signatures = new int[256];
  private int size;

  void add(int signature) {
    if (size == signatures.length) {
      if (size < MEMORY) {
        signatures = Arrays.copyOf(signatures, size * 2);
      } else {
        System.arraycopy(signatures, MEMORY / 2, signatures, 0, MEMORY / 2);
        size = MEMORY / 2;
      }
    }
    signatures[size++] = signature;
  }

  /// Rounds a step; 1 if all calls are alike; 0 where nothing repeats, as with overlapping asynchronous
  /// schedules, or not three times yet.
  int rounds() {
    for (int period = size < LEAST_ALIKE ? 2 : 1; period <= size / 3; period++) {
      if (repeatsEvery(period)) {
        return period;
      }
    }
    return 0;
  }

  private boolean repeatsEvery(int period) {
    int pairs = size - period;
    int mayDiffer = (int) (pairs * (1 - ALIKE));
    for (int i = 0; i < pairs; i++) {
      if (signatures[i] != signatures[i + period] && mayDiffer-- <= 0) {
        return false;
      }
    }
    return true;
  }
}
