package io.ringside.shipper.source.ras;

import io.ringside.shipper.source.Tally;
import java.util.concurrent.atomic.LongAdder;

/// What the asking of RAS counts.
public final class RasCounts {
  /// Answers that were sent.
  public final LongAdder answers = new LongAdder();

  /// Answers that were not: the broker was away, or they do not fit into a record.
  public final LongAdder dropped = new LongAdder();

  /// Tries without an answer, by why.
  public final Tally<Failure> failures = new Tally<>(Failure.class);
}
