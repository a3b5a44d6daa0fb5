package io.ringside.shipper.source.dump;

import io.ringside.shipper.source.Tally;
import java.util.concurrent.atomic.LongAdder;

/// What the reading of dumps counts.
public final class DumpCounts {
  /// Dumps that the broker has, whole.
  public final LongAdder dumps = new LongAdder();

  /// Pipes by which dumps were asked for.
  public final LongAdder asked = new LongAdder();

  /// Files with a flaw, by which.
  public final Tally<Flaw> flaws = new Tally<>(Flaw.class);
}
