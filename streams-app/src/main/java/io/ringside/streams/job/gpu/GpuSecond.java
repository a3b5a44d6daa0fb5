package io.ringside.streams.job.gpu;

import io.ringside.schemas.event.GpuReading;
import org.jspecify.annotations.Nullable;

/// The readings of a run's GPUs in one second. Must be read before the next reading is added.
public final class GpuSecond {
  private final GpuHistory history;
  private final GpuNumbers numbers;

  GpuSecond(GpuHistory history, GpuNumbers numbers) {
    this.history = history;
    this.numbers = numbers;
  }

  /// Number of readings.
  public int size() {
    return numbers.size();
  }

  /// Whether the process has a reading.
  public boolean has(String process) {
    return numbers.has(history.known(process));
  }

  /// The process's reading to a thousandth, null if there is none.
  public @Nullable GpuReading get(String process) {
    int place = history.known(process);
    return numbers.has(place) ? reading(place) : null;
  }

  /// All readings, by process id.
  public Gpu gpus() {
    return new Gpu();
  }

  private GpuReading reading(int place) {
    var traits = history.traits(numbers.trait(place));
    return new GpuReading(
        traits.index(),
        traits.busId(),
        traits.uuid(),
        traits.name(),
        numbers.boxed(place, GpuNumbers.UTILIZATION),
        numbers.boxed(place, GpuNumbers.MEMORY),
        traits.memoryTotalMiB(),
        numbers.boxed(place, GpuNumbers.POWER),
        traits.powerLimitWatts(),
        numbers.boxed(place, GpuNumbers.TEMPERATURE),
        numbers.boxed(place, GpuNumbers.CLOCK),
        traits.smClockMaxMHz(),
        traits.throttleReasons(),
        traits.eccUncorrected(),
        traits.error(),
        null);
  }

  /// Iterates over the readings without an object for each: a judgement reads millions.
  public final class Gpu {
    private final int[] order = history.order();
    private int index = -1;
    private int place;

    /// Moves to the next reading; false after the last.
    public boolean next() {
      while (++index < order.length) {
        place = order[index];
        if (numbers.has(place)) {
          return true;
        }
      }
      return false;
    }

    /// Id of the process that owned the GPU.
    public String process() {
      return history.process(place);
    }

    /// Percent, NaN if unknown.
    public double utilization() {
      return numbers.value(place, GpuNumbers.UTILIZATION);
    }

    /// Power in watts, NaN if unknown.
    public double watts() {
      return numbers.value(place, GpuNumbers.POWER);
    }

    /// Memory in use in MiB, NaN if unknown.
    public double memory() {
      return numbers.value(place, GpuNumbers.MEMORY);
    }

    /// SM clock in MHz, NaN if unknown.
    public double clock() {
      return numbers.value(place, GpuNumbers.CLOCK);
    }

    /// Bits of `clocks_event_reasons.active`, null if unknown.
    public @Nullable Long throttleReasons() {
      return traits().throttleReasons();
    }

    /// Uncorrected ECC errors, null if unknown.
    public @Nullable Long eccUncorrected() {
      return traits().eccUncorrected();
    }

    /// What the driver failed to report, null if nothing.
    public @Nullable String error() {
      return traits().error();
    }

    public GpuReading reading() {
      return GpuSecond.this.reading(place);
    }

    private GpuTraits traits() {
      return history.traits(numbers.trait(place));
    }
  }
}
