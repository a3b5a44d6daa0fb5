package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.GpuReading;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.gpu.GpuSecond;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Health of one GPU, from its readings second by second while the run lasts.
final class GpuTrack {
  final Throttling slowdown = new Throttling();
  final Throttling powerCap = new Throttling();
  final LoadedClock loaded;
  private @Nullable Failure failure;
  private @Nullable Long errors;
  private long last;
  private int seconds;

  private GpuTrack(double busyPercent) {
    loaded = new LoadedClock(busyPercent);
  }

  /// The first reading of trouble.
  ///
  /// @param second Unix epoch seconds
  record Failure(long second, GpuReading reading, String what) {}

  /// The tracks of all processes with samples, by process id. Takes a single pass over the readings
  /// for any number of processes.
  ///
  /// @param slowdowns bits of `clocks_event_reasons` that mean trouble
  /// @param powerCap bits of the power cap
  /// @param busyPercent utilization from which on a GPU works
  static Map<String, GpuTrack> of(Run run, long slowdowns, long powerCap, double busyPercent) {
    var tracks = new HashMap<String, GpuTrack>();
    for (var of : List.of(run.gpusWhileRunning(), run.unheld().readings().bySecond())) {
      of.forEach(
          (second, readings) -> {
            for (var gpu = readings.gpus(); gpu.next(); ) {
              var track = tracks.computeIfAbsent(gpu.process(), _ -> new GpuTrack(busyPercent));
              track.last = second;
              track.seconds++;
              track.health(second, gpu);
              track.slowdown.note(second, gpu, slowdowns);
              track.powerCap.note(second, gpu, powerCap);
              track.loaded.note(gpu, active(gpu, powerCap) != 0);
            }
          });
    }
    return tracks;
  }

  /// Those of the reasons that lower the GPU's clock now; none if they are unknown.
  private static long active(GpuSecond.Gpu gpu, long bits) {
    var reasons = gpu.throttleReasons();
    return reasons == null ? 0 : reasons & bits;
  }

  /// The failure of the GPU, null if there is none.
  @Nullable Failure failure() {
    return failure;
  }

  /// The last second with a reading, in Unix epoch seconds.
  long last() {
    return last;
  }

  /// Number of seconds with a reading.
  int seconds() {
    return seconds;
  }

  private void health(long second, GpuSecond.Gpu gpu) {
    var now = gpu.eccUncorrected();
    var before = errors;
    var error = gpu.error();
    if (failure == null && error != null) {
      failure = new Failure(second, gpu.reading(), error);
    } else if (failure == null && now != null && before != null && now > before) {
      failure =
          new Failure(
              second,
              gpu.reading(),
              "uncorrected ECC errors rose from %d to %d".formatted(before, now));
    }
    errors = now == null ? before : now;
  }

  /// Seconds in which at least one of the given reasons lowered the GPU's clock.
  static final class Throttling {
    private long since;
    private long last;
    private int seconds;
    private int inARow;
    private int longest;
    private long reasons;
    private double megahertz;
    private int clocked;
    private @Nullable GpuReading first;

    private void note(long second, GpuSecond.Gpu gpu, long bits) {
      long active = active(gpu, bits);
      if (active == 0) {
        return;
      }
      if (first == null) {
        since = second;
        first = gpu.reading();
      }
      inARow = second == last + 1 ? inARow + 1 : 1;
      longest = Math.max(longest, inARow);
      last = second;
      reasons |= active;
      seconds++;
      double clock = gpu.clock();
      if (!Double.isNaN(clock)) {
        megahertz += clock;
        clocked++;
      }
    }

    /// The GPU's mean SM clock in those seconds, in MHz; NaN if unknown.
    double meanClock() {
      return clocked == 0 ? Double.NaN : megahertz / clocked;
    }

    /// The first such second, in Unix epoch seconds.
    long since() {
      return since;
    }

    long last() {
      return last;
    }

    /// Number of such seconds.
    int seconds() {
      return seconds;
    }

    /// The largest number of consecutive such seconds.
    int longest() {
      return longest;
    }

    /// All reasons given.
    long reasons() {
      return reasons;
    }

    /// The reading in the first such second, null if there is none.
    @Nullable GpuReading first() {
      return first;
    }
  }
}
