package io.ringside.streams.fact;

import java.util.List;

/// What nvidia-smi said of the links and memory of GPUs that belong to processes of one job.
public record GpuLinkFacts(List<Placed> gpus) implements JobInput {
  public GpuLinkFacts {
    gpus = List.copyOf(gpus);
  }

  /// @param process id of the process that held the GPU then, see {@link Writer}
  public record Placed(String process, long atNanos, String busId, GpuLink link) {}
}
