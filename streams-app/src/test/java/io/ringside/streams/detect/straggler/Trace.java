package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What nvidia-smi told of the H200s of one node, one a rank.
@FunctionalInterface
public interface Trace {
  Instant BEGIN = Instant.parse("2026-11-20T11:00:00Z");

  Gpu at(int rank, double second);

  record Gpu(double busy, double watts, double memory, double clock) {
    Gpu holding(double mebibytes) {
      return new Gpu(busy, watts, memory + mebibytes, clock);
    }
  }

  /// One sample a second.
  default List<GpuSample> samples(int ranks, int first, double end) {
    var samples = new ArrayList<GpuSample>();
    for (int second = first; second < end; second++) {
      var readings = new ArrayList<GpuReading>();
      for (int rank = 0; rank < ranks; rank++) {
        var gpu = at(rank, second);
        readings.add(
            new GpuReading(
                rank,
                "0000:%x:00.0".formatted(0x1b + rank),
                "GPU-" + rank,
                "NVIDIA H200",
                gpu.busy(),
                gpu.memory(),
                143_771.0,
                gpu.watts(),
                700.0,
                50.0,
                gpu.clock(),
                1980.0,
                0L,
                null,
                null,
                null));
      }
      samples.add(new GpuSample("", "local", BEGIN.plusMillis(1000L * second + 400), readings));
    }
    return samples;
  }
}
