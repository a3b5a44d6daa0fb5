package io.ringside.shipper.source.kubernetes;

import io.ringside.shipper.source.Tally;
import java.util.concurrent.atomic.LongAdder;

/// What the watch of the node's pods counts.
public final class KubernetesCounts {
  /// Ends of pods and containers that were sent.
  public final LongAdder ends = new LongAdder();

  /// Ends that were not: the broker was away.
  public final LongAdder dropped = new LongAdder();

  /// What went wrong, by what.
  public final Tally<Failure> failures = new Tally<>(Failure.class);
}
