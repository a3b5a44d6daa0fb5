package io.ringside.shipper.source.gpu;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Keeps names and numbers that repeat in every poll only once, to save memory: half an hour of a
/// node has 14,400 readings. Not thread-safe.
final class KnownValues {
  private static final int MOST = 4096;

  /// Size of the number cache; must be a power of two.
  private static final int NUMBERS = 1024;

  private final Map<String, String> known = new HashMap<>();

  private final @Nullable Double[] numbers = new Double[NUMBERS];

  /// Boxes a number; returns the earlier object if the same number occurred recently.
  Double of(double value) {
    long bits = Double.doubleToRawLongBits(value);
    int at = (int) (bits * 0x9E37_79B9_7F4A_7C15L >>> 32) & NUMBERS - 1;
    var known = numbers[at];
    if (known == null || Double.doubleToRawLongBits(known) != bits) {
      known = value;
      numbers[at] = known;
    }
    return known;
  }

  String of(String text, UnaryOperator<String> form) {
    if (known.size() >= MOST) {
      known.clear();
    }
    return known.computeIfAbsent(text, form);
  }
}
