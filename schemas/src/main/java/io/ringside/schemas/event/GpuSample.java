package io.ringside.schemas.event;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// One poll of all GPUs of a node: the record of `ringside.gpu.v1`.
///
/// @param at when the first GPU was read, by the node's clock
public record GpuSample(String cluster, String node, Instant at, List<GpuReading> gpus)
    implements AgentEvent {

  public GpuSample {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(at, "at");
    gpus = List.copyOf(gpus);
  }
}
