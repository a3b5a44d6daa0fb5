package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One GPU at one moment, as nvidia-smi reports it. A value that the driver does not support
/// (`[N/A]`, `[Not Supported]`) is null. A value that it fails to read (`ERR!`, `[Unknown Error]`)
/// is null and named in `error`.
///
/// @param busId PCI bus id in NCCL's own form, lower case: `0000:0b:00.0`
/// @param throttleReasons bits of `clocks_event_reasons.active` (nvml.h, `nvmlClocksEventReason*`)
/// @param eccUncorrected uncorrected volatile ECC errors since the last reset
/// @param pcie from a recording that has its columns; the agent reads it seldom, see
///     {@link HardwareCounters}
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
    @Nullable String error,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PcieLink pcie) {

  /// Reasons that slow a GPU down although it has work: slowdowns by hardware, by heat and by the
  /// power brake (nvml.h). The others are how a healthy GPU works: idle, the clocks of applications
  /// and displays, the power cap, sync boost.
  public static final long SLOWDOWNS = 0x8L | 0x20L | 0x40L | 0x80L;

  public GpuReading {
    Objects.requireNonNull(busId, "busId");
    Objects.requireNonNull(uuid, "uuid");
    Objects.requireNonNull(name, "name");
  }

  /// Whether it is slowed down; false if unknown.
  public boolean throttled() {
    return throttleReasons != null && (throttleReasons & SLOWDOWNS) != 0;
  }
}
