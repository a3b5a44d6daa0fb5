package io.ringside.shipper.source.kubernetes;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// What the watch of the node's pods counts.
public final class KubernetesCounts {
  /// Ends of pods and containers that were sent.
  public final LongAdder ends = new LongAdder();

  /// Ends that were not: the broker was away.
  public final LongAdder dropped = new LongAdder();

  /// What went wrong, by what.
  public final Map<Failure, LongAdder> failures = new EnumMap<>(Failure.class);

  public KubernetesCounts() {
    for (var failure : Failure.values()) {
      failures.put(failure, new LongAdder());
    }
  }

  /// How often this went wrong.
  public long failed(Failure failure) {
    return failures.getOrDefault(failure, new LongAdder()).sum();
  }

  void count(Failure failure) {
    failures.getOrDefault(failure, new LongAdder()).increment();
  }
}
