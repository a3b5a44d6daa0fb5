package io.ringside.shipper.source;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/// Counts failures by kind. Thread-safe.
public final class FailureTally<E extends Enum<E>> {
  private final Map<E, LongAdder> counts;

  public FailureTally(Class<E> things) {
    counts = new EnumMap<>(things);
    for (var each : things.getEnumConstants()) {
      counts.put(each, new LongAdder());
    }
  }

  public void count(E thing) {
    counts.getOrDefault(thing, new LongAdder()).increment();
  }

  public long of(E thing) {
    return counts.getOrDefault(thing, new LongAdder()).sum();
  }

  /// Passes on each count with its metric label, for example `too_large`.
  public void each(BiConsumer<String, LongAdder> use) {
    counts.forEach((thing, count) -> use.accept(thing.name().toLowerCase(Locale.ROOT), count));
  }
}
