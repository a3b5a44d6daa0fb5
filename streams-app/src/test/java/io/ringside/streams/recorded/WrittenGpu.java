package io.ringside.streams.recorded;

import io.ringside.schemas.event.GpuReading;

/// Readings of an H100 in good health.
public final class WrittenGpu {
  private WrittenGpu() {}

  /// @param index below 9, from which its bus id is made
  /// @param busy its utilization in percent
  public static GpuReading of(int index, double busy) {
    return of(index, busy, 230);
  }

  /// @param watts of 700
  public static GpuReading of(int index, double busy, double watts) {
    return of(index, busy, watts, 1980, 0);
  }

  /// @param megahertz of 1980
  /// @param reasons bits of `clocks_event_reasons`
  public static GpuReading of(
      int index, double busy, double watts, double megahertz, long reasons) {
    return new GpuReading(
        index,
        "0000:0%d:00.0".formatted(index + 1),
        "",
        "NVIDIA H100",
        busy,
        null,
        null,
        watts,
        700.0,
        50.0,
        megahertz,
        1980.0,
        reasons,
        0L,
        null,
        null);
  }
}
