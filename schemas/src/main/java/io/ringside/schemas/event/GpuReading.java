package io.ringside.schemas.event;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One GPU at one moment, as nvidia-smi gives it. What the driver does not tell (`[N/A]`,
/// `[Not Supported]`) is null; what it fails to tell (`ERR!`, `[Unknown Error]`) is null and named
/// in `error`.
///
/// @param busId PCI bus id in NCCL's own form, lower case: `0000:0b:00.0`
/// @param throttleReasons bits of `clocks_event_reasons.active` (nvml.h, `nvmlClocksEventReason*`)
/// @param eccUncorrected uncorrected volatile ECC errors since the last reset
public record GpuReading(
    int index,
    String busId,
    String uuid,
    String name,
    @Nullable Double utilizationPercent,
    @Nullable Double memoryUsedMiB,
    @Nullable Double memoryTotalMiB,
    @Nullable Double powerWatts,
    @Nullable Double powerLimitWatts,
    @Nullable Double temperatureCelsius,
    @Nullable Double smClockMHz,
    @Nullable Double smClockMaxMHz,
    @Nullable Long throttleReasons,
    @Nullable Long eccUncorrected,
    @Nullable String error) {

  public GpuReading {
    Objects.requireNonNull(busId, "busId");
    Objects.requireNonNull(uuid, "uuid");
    Objects.requireNonNull(name, "name");
  }

  /// The same reading, holding the earlier one's objects wherever they are equal: ten thousand GPUs keep
  /// millions of readings, of which names never and most values seldom change.
  public GpuReading sharing(GpuReading earlier) {
    return new GpuReading(
        index,
        either(busId, earlier.busId),
        either(uuid, earlier.uuid),
        either(name, earlier.name),
        same(utilizationPercent, earlier.utilizationPercent),
        same(memoryUsedMiB, earlier.memoryUsedMiB),
        same(memoryTotalMiB, earlier.memoryTotalMiB),
        same(powerWatts, earlier.powerWatts),
        same(powerLimitWatts, earlier.powerLimitWatts),
        same(temperatureCelsius, earlier.temperatureCelsius),
        same(smClockMHz, earlier.smClockMHz),
        same(smClockMaxMHz, earlier.smClockMaxMHz),
        same(throttleReasons, earlier.throttleReasons),
        same(eccUncorrected, earlier.eccUncorrected),
        same(error, earlier.error));
  }

  private static String either(String now, String earlier) {
    return now.equals(earlier) ? earlier : now;
  }

  private static <T> @Nullable T same(@Nullable T now, @Nullable T earlier) {
    return Objects.equals(now, earlier) ? earlier : now;
  }
}
