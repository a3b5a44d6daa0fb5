package io.ringside.shipper.source.gpu;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Counters of the nvidia-smi child processes. Thread-safe.
public final class GpuCounts {
  /// Polls read.
  public final LongAdder samples = new LongAdder();

  /// Child processes that ended and were started again.
  public final LongAdder restarts = new LongAdder();

  /// Child processes killed because they printed nothing for too long.
  public final LongAdder stalls = new LongAdder();

  /// Ticker time of the last poll, or 0.
  public final AtomicLong lastSampleNanos = new AtomicLong();
}
