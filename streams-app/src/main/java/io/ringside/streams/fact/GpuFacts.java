package io.ringside.streams.fact;

import io.ringside.schemas.event.GpuReading;
import java.util.List;

/// GPU readings of one node that belong to processes of one job.
///
/// @param disputed processes without times whose GPU another process turned out to name too: their
///   earlier readings are discarded
public record GpuFacts(List<Placed> readings, List<String> disputed) implements JobInput {
  public GpuFacts {
    readings = List.copyOf(readings);
    // records of older versions lack it
    disputed = disputed == null ? List.of() : List.copyOf(disputed);
  }

  /// A reading with the process that owned the GPU at that time.
  ///
  /// @param process ID of the process, see {@link Writer}
  public record Placed(String process, long atNanos, GpuReading reading) {}
}
