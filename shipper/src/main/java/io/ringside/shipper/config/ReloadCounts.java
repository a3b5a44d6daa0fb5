package io.ringside.shipper.config;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/// Counts of what happened to changes of the configuration file. Thread-safe.
public final class ReloadCounts {
  /// Changes put in force.
  public final LongAdder taken = new LongAdder();

  /// Changes refused because the file is invalid or cannot be read.
  public final LongAdder refused = new LongAdder();

  /// Whether the file differs from the configuration in force.
  public final AtomicBoolean stale = new AtomicBoolean();
}
