package io.ringside.shipper.source.gpu;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Names that come again in every poll, each kept once. Not thread-safe.
final class KnownWords {
  private static final int MOST = 4096;

  private final Map<String, String> known = new HashMap<>();

  String of(String text, UnaryOperator<String> form) {
    if (known.size() >= MOST) {
      known.clear();
    }
    return known.computeIfAbsent(text, form);
  }
}
