package io.ringside.platform.config;

import java.time.Duration;

/// Checks for values in records of settings and expectations. Messages begin with the key's name;
/// the reader of the file adds the path before it.
public final class Require {
  private Require() {}

  public static String text(String key, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(key + " must not be empty");
    }
    return value;
  }

  public static int between(String key, int low, int high, int value) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(
          "%s must be %d to %d, was %d".formatted(key, low, high, value));
    }
    return value;
  }

  public static void between(String key, double low, double high, double value) {
    if (!(value >= low && value <= high)) {
      throw new IllegalArgumentException(
          "%s must be %s to %s, was %s".formatted(key, plain(low), plain(high), plain(value)));
    }
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }

  public static void share(String key, double value) {
    between(key, 0, 1, value);
  }

  public static Duration positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("%s must be positive, was %s".formatted(key, value));
    }
    return value;
  }
}
