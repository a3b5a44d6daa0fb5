package io.ringside.shipper.source.network;

import io.ringside.schemas.event.NetworkInterface;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Reads the counters and computes their rates per second since the previous reading. Uses the
/// ticker rather than the clock, so that a clock that jumps does not distort rates. Not
/// thread-safe.
public final class NetworkRates {
  private static final double NANOS = 1e9;

  private final KernelCounters counters;
  private final LongSupplier ticker;
  private Map<String, Reading> before = Map.of();
  private long beforeNanos;

  public NetworkRates(KernelCounters counters, LongSupplier ticker) {
    this.counters = counters;
    this.ticker = ticker;
  }

  /// Reads the counters again.
  public List<NetworkInterface> sample() {
    List<Reading> readings = counters.read();
    long now = ticker.getAsLong();
    double seconds = (now - beforeNanos) / NANOS;
    List<NetworkInterface> interfaces =
        readings.stream().map(reading -> rated(reading, seconds)).toList();
    Map<String, Reading> latest = new HashMap<>();
    readings.forEach(reading -> latest.put(reading.key(), reading));
    before = latest;
    beforeNanos = now;
    return interfaces;
  }

  private NetworkInterface rated(Reading reading, double seconds) {
    Reading last = before.get(reading.key());
    return new NetworkInterface(
        reading.name(),
        reading.port(),
        reading.kind(),
        reading.receivedBytes(),
        reading.sentBytes(),
        last == null ? null : rate(last.receivedBytes(), reading.receivedBytes(), seconds),
        last == null ? null : rate(last.sentBytes(), reading.sentBytes(), seconds));
  }

  /// The rate, null if the counter was reset or no time has passed.
  private static @Nullable Double rate(long before, long now, double seconds) {
    return now < before || seconds <= 0 ? null : Math.rint((now - before) / seconds);
  }
}
