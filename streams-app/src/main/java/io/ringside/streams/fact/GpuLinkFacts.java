package io.ringside.streams.fact;

import java.util.List;

/// What nvidia-smi reported about the links and memory of GPUs that belong to processes of one job.
public record GpuLinkFacts(List<Placed> gpus) implements JobInput {
  public GpuLinkFacts {
    gpus = List.copyOf(gpus);
  }

  /// @param process ID of the process that held the GPU at that time, see {@link Writer}
  public record Placed(String process, long atNanos, String busId, GpuLink link) {}
}
