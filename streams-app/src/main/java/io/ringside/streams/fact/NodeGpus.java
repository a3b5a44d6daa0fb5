package io.ringside.streams.fact;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogSource;
import java.util.List;

/// GPU samples of all GPUs of a node, for the only job there, if its lines do not show which
/// process holds which GPU.
///
/// @param source the job's log source on that node
public record NodeGpus(LogSource source, List<GpuSample> samples) implements JobInput {
  public NodeGpus {
    samples = List.copyOf(samples);
  }
}
