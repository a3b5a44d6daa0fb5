package io.ringside.streams.job.gpu;

import io.ringside.schemas.event.GpuReading;
import org.jspecify.annotations.Nullable;

/// The readings of a run's GPUs in one second, to be looked at before the next one is added.
public final class GpuSecond {
  private final GpuHistory history;
  private final GpuNumbers numbers;

  GpuSecond(GpuHistory history, GpuNumbers numbers) {
    this.history = history;
    this.numbers = numbers;
  }

  /// How many there are.
  public int size() {
    return numbers.size();
  }

  /// Whether there is one of the process.
  public boolean has(String process) {
    return numbers.has(history.known(process));
  }

  /// The process's reading, null if there is none. To a thousandth.
  public @Nullable GpuReading get(String process) {
    int place = history.known(process);
    return numbers.has(place) ? reading(place) : null;
  }

  /// All of them, by process id.
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

  /// One reading after the other, without an object for each: a judgement looks at millions.
  public final class Gpu {
    private final int[] order = history.order();
    private int index = -1;
    private int place;

    /// Goes on to the next one; false after the last.
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

    /// NaN if unknown.
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

    /// What the driver failed to tell, null if nothing.
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
