package io.ringside.lab.simulate;

import java.util.List;
import java.util.SplittableRandom;

/// Draws. Not thread-safe.
final class Chance {
  private final SplittableRandom random;

  Chance(long seed) {
    random = new SplittableRandom(seed);
    random.nextLong();
  }

  boolean of(double probability) {
    return random.nextDouble() < probability;
  }

  double between(double from, double to) {
    return from + (to - from) * random.nextDouble();
  }

  /// Small values as likely as large ones.
  double evenly(double from, double to) {
    return Math.exp(between(Math.log(from), Math.log(to)));
  }

  /// 0 to this, exclusive; 0 if there is nothing else.
  int below(int bound) {
    return bound < 2 ? 0 : random.nextInt(bound);
  }

  <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
