package io.ringside.shipper.source.kubernetes;

import io.ringside.shipper.source.FailureTally;
import java.util.concurrent.atomic.LongAdder;

/// Counters of the Kubernetes watches. Thread-safe.
public final class KubernetesCounts {
  /// Ends of pods and containers that were sent.
  public final LongAdder ends = new LongAdder();

  /// Ends that were not sent because the broker was away.
  public final LongAdder dropped = new LongAdder();

  /// Failures, by kind.
  public final FailureTally<Failure> failures = new FailureTally<>(Failure.class);
}
