package io.ringside.streams.expect;

import java.time.Duration;

/// What expectations ask of their values. Messages begin with the key's name; the reader puts the path
/// before it.
final class Limits {
  private Limits() {}

  static void text(String key, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(key + " must not be empty");
    }
  }

  static void between(String key, int low, int high, int value) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(
          "%s must be %d to %d, was %d".formatted(key, low, high, value));
    }
  }

  static void between(String key, double low, double high, double value) {
    if (!(value >= low && value <= high)) {
      throw new IllegalArgumentException(
          "%s must be %s to %s, was %s".formatted(key, plain(low), plain(high), plain(value)));
    }
  }

  static void share(String key, double value) {
    between(key, 0, 1, value);
  }

  static void positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("%s must be positive, was %s".formatted(key, value));
    }
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }
}
