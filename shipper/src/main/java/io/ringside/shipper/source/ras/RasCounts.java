package io.ringside.shipper.source.ras;

import io.ringside.shipper.source.FailureTally;
import java.util.concurrent.atomic.LongAdder;

/// Counters of the RAS probe. Thread-safe.
public final class RasCounts {
  /// Answers that were sent.
  public final LongAdder answers = new LongAdder();

  /// Answers that were not sent: the broker was away, or they did not fit into a record.
  public final LongAdder dropped = new LongAdder();

  /// Queries without an answer, by reason.
  public final FailureTally<Failure> failures = new FailureTally<>(Failure.class);
}
