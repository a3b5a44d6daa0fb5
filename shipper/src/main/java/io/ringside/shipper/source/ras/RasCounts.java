package io.ringside.shipper.source.ras;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// What the asking of RAS counts.
public final class RasCounts {
  /// Answers that were sent.
  public final LongAdder answers = new LongAdder();

  /// Answers that were not: the broker was away, or they do not fit into a record.
  public final LongAdder dropped = new LongAdder();

  /// Tries without an answer, by why.
  public final Map<Failure, LongAdder> failures = new EnumMap<>(Failure.class);

  public RasCounts() {
    for (var failure : Failure.values()) {
      failures.put(failure, new LongAdder());
    }
  }

  /// How many tries failed so.
  public long failed(Failure failure) {
    return failures.getOrDefault(failure, new LongAdder()).sum();
  }

  void count(Failure failure) {
    failures.getOrDefault(failure, new LongAdder()).increment();
  }
}
