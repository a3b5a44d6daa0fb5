package io.ringside.streams.job.gpu;

import io.ringside.schemas.event.GpuReading;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// The readings of one second by index of the process: changing values in thousandths, and the
/// number of the GPU's traits.
final class GpuNumbers {
  static final int UTILIZATION = 0;
  static final int MEMORY = 1;
  static final int POWER = 2;
  static final int TEMPERATURE = 3;
  static final int CLOCK = 4;

  private static final int WIDTH = 5;
  private static final int UNKNOWN = Integer.MIN_VALUE;

  private int size;

  /// One more than the number of the traits, 0 where there is no reading.
  private int[] traits = new int[0];

  private int[] values = new int[0];

  int size() {
    return size;
  }

  boolean has(int place) {
    return place >= 0 && place < traits.length && traits[place] != 0;
  }

  /// @param places number of processes so far
  void put(int place, int places, int trait, GpuReading reading) {
    if (place >= traits.length) {
      // a second's readings come node by node; nearly all processes have one
      traits = Arrays.copyOf(traits, Math.max(places, place + 1));
      values = Arrays.copyOf(values, traits.length * WIDTH);
    }
    size++;
    traits[place] = trait + 1;
    int at = place * WIDTH;
    values[at + UTILIZATION] = thousandths(reading.utilizationPercent());
    values[at + MEMORY] = thousandths(reading.memoryUsedMiB());
    values[at + POWER] = thousandths(reading.powerWatts());
    values[at + TEMPERATURE] = thousandths(reading.temperatureCelsius());
    values[at + CLOCK] = thousandths(reading.smClockMHz());
  }

  void remove(int place) {
    if (has(place)) {
      size--;
      traits[place] = 0;
    }
  }

  int trait(int place) {
    return traits[place] - 1;
  }

  /// NaN if unknown.
  double value(int place, int which) {
    int value = values[place * WIDTH + which];
    return value == UNKNOWN ? Double.NaN : value / 1000.0;
  }

  @Nullable Double boxed(int place, int which) {
    int value = values[place * WIDTH + which];
    return value == UNKNOWN ? null : Double.valueOf(value / 1000.0);
  }

  void renumber(IntUnaryOperator trait) {
    for (int place = 0; place < traits.length; place++) {
      if (traits[place] != 0) {
        traits[place] = trait.applyAsInt(traits[place] - 1) + 1;
      }
    }
  }

  private static int thousandths(@Nullable Double value) {
    return value == null || value.isNaN()
        ? UNKNOWN
        : Math.clamp(Math.round(value * 1000), -Integer.MAX_VALUE, Integer.MAX_VALUE);
  }
}
