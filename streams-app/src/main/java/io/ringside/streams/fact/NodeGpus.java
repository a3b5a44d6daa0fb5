package io.ringside.streams.fact;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogSource;
import java.util.List;

/// What was recorded of all GPUs of a node, for the one job there whose lines do not say which
/// process holds which.
///
/// @param source of the job on that node
public record NodeGpus(LogSource source, List<GpuSample> samples) implements JobInput {
  public NodeGpus {
    samples = List.copyOf(samples);
  }
}
