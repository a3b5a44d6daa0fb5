package io.ringside.shipper.source.kernel;

import java.util.concurrent.atomic.LongAdder;

/// What the reading of the kernel's log counts.
public final class KernelCounts {
  /// Lines of NVIDIA's driver that were sent.
  public final LongAdder lines = new LongAdder();

  /// Lines of the driver that were not: too many in a minute.
  public final LongAdder dropped = new LongAdder();

  /// Records of any kind that the kernel overwrote before they were read.
  public final LongAdder overrun = new LongAdder();

  /// Failed tries to open or read it.
  public final LongAdder failures = new LongAdder();
}
