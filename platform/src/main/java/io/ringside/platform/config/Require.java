package io.ringside.platform.config;

import java.time.Duration;

/// What records of settings ask of their values. Messages begin with the key's name; {@link ConfigFile} puts
/// the path before it.
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

  public static Duration positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("%s must be positive, was %s".formatted(key, value));
    }
    return value;
  }
}
