package io.ringside.shipper.source.kernel;

import java.util.concurrent.atomic.LongAdder;

/// Counters of the kernel log reader. Thread-safe.
public final class KernelCounts {
  /// Lines of NVIDIA's driver that were sent.
  public final LongAdder lines = new LongAdder();

  /// Lines of the driver that were not sent: too many in a minute, or the broker was away.
  public final LongAdder dropped = new LongAdder();

  /// Records of any kind that the kernel overwrote before they were read.
  public final LongAdder overrun = new LongAdder();

  /// Failed attempts to open or read the log.
  public final LongAdder failures = new LongAdder();
}
