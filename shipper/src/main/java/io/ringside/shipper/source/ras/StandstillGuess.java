package io.ringside.shipper.source.ras;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Guesses whether the node's jobs stand still: no log line for ten seconds, or a GPU that is busy
/// at low power, like one that waits in an NCCL kernel. Used only to decide when to query
/// witnesses. Thread-safe.
public final class StandstillGuess {
  private static final long SILENT_NANOS = Duration.ofSeconds(10).toNanos();
  private static final double BUSY_PERCENT = 95;
  private static final double LITTLE_POWER = 0.4;

  private final LongSupplier lines;
  private final LongSupplier ticker;
  private long before;
  private long changedNanos;
  private volatile boolean spinning;

  /// @param lines number of log lines read so far
  public StandstillGuess(LongSupplier lines, LongSupplier ticker) {
    this.lines = lines;
    this.ticker = ticker;
    this.changedNanos = ticker.getAsLong();
  }

  /// Takes the newest readings of the GPUs.
  public void take(GpuSample sample) {
    spinning = sample.gpus().stream().anyMatch(StandstillGuess::spins);
  }

  private static boolean spins(GpuReading gpu) {
    var busy = gpu.utilizationPercent();
    var power = gpu.powerWatts();
    var limit = gpu.powerLimitWatts();
    return busy != null
        && power != null
        && limit != null
        && busy >= BUSY_PERCENT
        && power < LITTLE_POWER * limit;
  }

  /// Whether the jobs seem to stand still now.
  public synchronized boolean isStandstill() {
    long now = lines.getAsLong();
    if (now != before) {
      before = now;
      changedNanos = ticker.getAsLong();
    }
    return spinning || ticker.getAsLong() - changedNanos >= SILENT_NANOS;
  }
}
