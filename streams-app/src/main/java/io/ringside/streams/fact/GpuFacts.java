package io.ringside.streams.fact;

import io.ringside.schemas.event.GpuReading;
import java.util.List;

/// GPU readings of one node that belong to processes of one job.
public record GpuFacts(String node, List<Placed> readings) implements JobInput {
  public GpuFacts {
    readings = List.copyOf(readings);
  }

  /// A reading with the process that owned the GPU at that time.
  ///
  /// @param process id of the process, see {@link Writer}
  public record Placed(String process, long atNanos, GpuReading reading) {}
}
