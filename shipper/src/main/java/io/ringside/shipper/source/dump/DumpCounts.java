package io.ringside.shipper.source.dump;

import io.ringside.shipper.source.FailureTally;
import java.util.concurrent.atomic.LongAdder;

/// Counters of the dump reader. Thread-safe.
public final class DumpCounts {
  /// Complete dumps that the broker has.
  public final LongAdder dumps = new LongAdder();

  /// Pipes through which dumps were requested.
  public final LongAdder asked = new LongAdder();

  /// Files with a flaw, by kind.
  public final FailureTally<DumpFlaw> flaws = new FailureTally<>(DumpFlaw.class);
}
