package io.ringside.streams.config;

import java.time.Duration;

/// What the records ask of their values. Messages begin with the key's name; {@link ConfigFile} puts
/// the path before it.
final class Require {
  private Require() {}

  static String text(String key, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(key + " must not be empty");
    }
    return value;
  }

  static int between(String key, int low, int high, int value) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(
          "%s must be %d to %d, was %d".formatted(key, low, high, value));
    }
    return value;
  }

  static Duration positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("%s must be positive, was %s".formatted(key, value));
    }
    return value;
  }
}
