package io.ringside.shipper.source.gpu;

import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.GpuSensor.State;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The state of the GPU sensor. One thread writes, any thread may read.
public final class GpuSensorHealth {
  /// What is wrong; holds until the next poll succeeds.
  private record Trouble(State state, String reason) {}

  private static final double NANOS = 1e9;
  private static final int LONGEST_REASON = 200;

  private final GpuCounts counts;
  private final Duration interval;
  private final Duration patience;
  private final LongSupplier ticker;
  private volatile @Nullable Trouble trouble;

  /// @param patience the sensor counts as stalled if the last poll is older than this
  public GpuSensorHealth(
      GpuCounts counts, Duration interval, Duration patience, LongSupplier ticker) {
    this.counts = counts;
    this.interval = interval;
    this.patience = patience;
    this.ticker = ticker;
  }

  /// The state of a sensor that is turned off.
  public static GpuSensor off() {
    return new GpuSensor(State.OFF, null, 0, 0, 0, "");
  }

  void polled() {
    counts.samples.increment();
    counts.lastSampleNanos.set(ticker.getAsLong());
    trouble = null;
  }

  void missing(String reason) {
    trouble = new Trouble(State.MISSING, reason);
  }

  void failing(String reason) {
    trouble = new Trouble(State.FAILING, reason);
  }

  void stalled(String reason) {
    trouble = new Trouble(State.STALLED, reason);
  }

  public GpuSensor now() {
    long last = counts.lastSampleNanos.get();
    Double age = last == 0 ? null : (ticker.getAsLong() - last) / NANOS;
    Trouble now = trouble;
    State state;
    if (now != null) {
      state = now.state;
    } else if (age == null) {
      state = State.STARTING;
    } else {
      state = age > patience.toMillis() / 1e3 ? State.STALLED : State.OK;
    }
    return new GpuSensor(
        state,
        age,
        interval.toMillis() / 1e3,
        counts.restarts.sum(),
        counts.stalls.sum(),
        now == null ? "" : shortened(now.reason));
  }

  private static String shortened(String reason) {
    return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON);
  }
}
