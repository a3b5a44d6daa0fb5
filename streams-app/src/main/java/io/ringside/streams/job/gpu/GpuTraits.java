package io.ringside.streams.job.gpu;

import io.ringside.schemas.event.GpuReading;
import org.jspecify.annotations.Nullable;

/// Properties of a GPU that seldom change from one reading to the next.
record GpuTraits(
    int index,
    String busId,
    String uuid,
    String name,
    @Nullable Double memoryTotalMiB,
    @Nullable Double powerLimitWatts,
    @Nullable Double smClockMaxMHz,
    @Nullable Long throttleReasons,
    @Nullable Long eccUncorrected,
    @Nullable String error) {

  static GpuTraits of(GpuReading reading) {
    return new GpuTraits(
        reading.index(),
        reading.busId(),
        reading.uuid(),
        reading.name(),
        reading.memoryTotalMiB(),
        reading.powerLimitWatts(),
        reading.smClockMaxMHz(),
        reading.throttleReasons(),
        reading.eccUncorrected(),
        reading.error());
  }
}
