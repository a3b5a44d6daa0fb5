package io.ringside.shipper.source.gpu;

import io.ringside.schemas.event.GpuReading;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the reasons that slowed a GPU's clock between two samples, from
/// `clocks_event_reasons_counters.*` in microseconds (driver 550 and later). The momentary reasons
/// of a sample miss what happens in between. Not thread-safe.
final class ReasonCounters {
  /// Least share of the time that a reason must hold to count.
  private static final double LEAST_SHARE = 0.1;

  private static final Map<GpuField, Long> BITS =
      Map.of(
          GpuField.SW_THERMAL_MICROS, 0x20L,
          GpuField.HW_THERMAL_MICROS, 0x40L,
          GpuField.POWER_BRAKE_MICROS, 0x80L);

  private final Map<String, Counted> before = new HashMap<>();

  private record Counted(LocalDateTime at, Map<GpuField, Long> micros) {}

  /// The reading, with the reasons that held since the GPU's previous row.
  GpuReading with(GpuReading reading, SmiRow row, LocalDateTime at) {
    var micros = new HashMap<GpuField, Long>();
    for (var field : BITS.keySet()) {
      var count = row.count(field);
      if (count != null) {
        micros.put(field, count);
      }
    }
    if (micros.isEmpty()) {
      return reading;
    }
    var gpu = reading.busId() + "|" + reading.uuid() + "|" + reading.index();
    long reasons = since(before.put(gpu, new Counted(at, micros)), at, micros);
    return reasons == 0 ? reading : row.reading(reading.index(), reasons);
  }

  private static long since(@Nullable Counted last, LocalDateTime at, Map<GpuField, Long> micros) {
    if (last == null) {
      return 0;
    }
    double passed = Duration.between(last.at(), at).toNanos() / 1e3;
    long reasons = 0;
    for (var count : micros.entrySet()) {
      var was = last.micros().get(count.getKey());
      if (was != null && passed > 0 && count.getValue() - was >= LEAST_SHARE * passed) {
        reasons |= BITS.getOrDefault(count.getKey(), 0L);
      }
    }
    return reasons;
  }
}
