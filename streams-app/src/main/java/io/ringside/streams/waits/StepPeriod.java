package io.ringside.streams.waits;

import java.util.Arrays;

/// Finds how many rounds make a training step: the shortest period in which operations and sizes
/// repeat. Bounded by the last {@value #MEMORY} rounds.
final class StepPeriod {
  private static final int MEMORY = 2048;
  private static final double ALIKE = 0.97;

  /// A longer period must leave less than this share of the differing calls.
  private static final double LESS = 0.5;

  /// This many equal calls are not just a part of a step.
  private static final int LEAST_ALIKE = 24;

  private int[] signatures = new int[32];
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

  /// Rounds a step; 1 if all calls are alike; 0 if nothing repeats, as with overlapping
  /// asynchronous schedules, or not three times yet. Of several periods the best fit counts: layers
  /// are alike except for a few, and a step has many of them.
  int rounds() {
    int best = 0;
    double fewest = 1 - ALIKE;
    for (int period = size < LEAST_ALIKE ? 2 : 1; period <= size / 3; period++) {
      int pairs = size - period;
      int differing = differing(period, (int) (pairs * fewest));
      if (differing >= 0 && (best == 0 || differing < LESS * fewest * pairs)) {
        best = period;
        fewest = differing / (double) pairs;
        if (differing == 0) {
          break;
        }
      }
    }
    return best;
  }

  /// How many calls differ from those one period before, -1 if more than `most`.
  private int differing(int period, int most) {
    int differing = 0;
    for (int i = 0; i < size - period; i++) {
      if (signatures[i] != signatures[i + period] && ++differing > most) {
        return -1;
      }
    }
    return differing;
  }
}
