package io.ringside.shipper.config;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/// What became of changes of the configuration file. Thread-safe.
public final class ReloadCounts {
  /// Changes taken over.
  public final LongAdder taken = new LongAdder();

  /// Changes refused: something in the file is wrong, or it cannot be read.
  public final LongAdder refused = new LongAdder();

  /// The file says something else than what is in force.
  public final AtomicBoolean stale = new AtomicBoolean();
}
