package io.ringside.shipper.source.dump;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// What the reading of dumps counts.
public final class DumpCounts {
  /// Dumps that the broker has, whole.
  public final LongAdder dumps = new LongAdder();

  /// Files with a flaw, by which.
  public final Map<Flaw, LongAdder> flaws = new EnumMap<>(Flaw.class);

  public DumpCounts() {
    for (var flaw : Flaw.values()) {
      flaws.put(flaw, new LongAdder());
    }
  }

  /// How many files had it.
  public long of(Flaw flaw) {
    return flaws.getOrDefault(flaw, new LongAdder()).sum();
  }

  void count(Flaw flaw) {
    flaws.getOrDefault(flaw, new LongAdder()).increment();
  }
}
