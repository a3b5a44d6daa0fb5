package io.ringside.schemas.event;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// One poll of all GPUs of a node: the record of `ringside.gpu.v1`.
///
/// @param at when the first GPU was read, by the node's clock; or a stand-in, see {@link #untimed}
public record GpuSample(String cluster, String node, Instant at, List<GpuReading> gpus)
    implements AgentEvent {
  /// Largest stand-in, in seconds after the epoch: eleven days, when no GPU was sampled.
  private static final long MOST_UNTIMED = 1_000_000;

  public GpuSample {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(at, "at");
    gpus = List.copyOf(gpus);
  }

  /// A stand-in for the time of the n-th poll of a recording without times.
  public static Instant untimed(long poll) {
    return Instant.ofEpochSecond(Math.min(poll, MOST_UNTIMED));
  }

  /// Whether the time is such a stand-in.
  public static boolean isUntimed(Instant at) {
    return at.getEpochSecond() <= MOST_UNTIMED;
  }
}
