package io.ringside.schemas.event;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How nvidia-smi fares on a node.
///
/// @param ageSeconds since the last poll of all GPUs, null before the first
/// @param intervalSeconds between polls, as configured
/// @param restarts times the child ended and was started again, since the agent started
/// @param stalls times it fell silent and was killed, since the agent started
/// @param reason what it or the system said when it failed, empty if it did not
public record GpuSensor(
    State state,
    @Nullable Double ageSeconds,
    double intervalSeconds,
    long restarts,
    long stalls,
    String reason) {

  public GpuSensor {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(reason, "reason");
  }

  /// What can be said of it.
  public enum State implements Labelled {
    /// Polls come.
    OK,
    /// None came yet.
    STARTING,
    /// It runs and says nothing for longer than it may, or cannot even be killed.
    STALLED,
    /// It starts, and ends without a poll: no driver, a driver of another version, a lost GPU.
    FAILING,
    /// There is no such program on this node.
    MISSING,
    /// Switched off in the agent's configuration.
    OFF
  }
}
