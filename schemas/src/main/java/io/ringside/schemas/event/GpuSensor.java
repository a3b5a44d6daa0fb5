package io.ringside.schemas.event;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The state of nvidia-smi on a node.
///
/// @param ageSeconds since the last poll of all GPUs, null before the first
/// @param intervalSeconds between polls, as configured
/// @param restarts number of times that the child process ended and was restarted, since the agent
///     started
/// @param stalls number of times that it fell silent and was killed, since the agent started
/// @param reason its message, or the system's, after a failure; empty if it did not fail
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

  /// The state of the sensor.
  public enum State implements LabelledEnum {
    /// Polls arrive.
    OK,
    /// No poll has arrived yet.
    STARTING,
    /// It runs but is silent for longer than allowed, or cannot even be killed.
    STALLED,
    /// It starts, but ends without a poll: no driver, a driver of another version, a lost GPU.
    FAILING,
    /// The program does not exist on this node.
    MISSING,
    /// Turned off in the agent's configuration.
    OFF
  }
}
