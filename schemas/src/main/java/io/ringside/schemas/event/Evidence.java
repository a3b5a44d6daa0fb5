package io.ringside.schemas.event;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A raw line or sample that proves a finding.
///
/// @param time when it was written, null where neither the line nor its carrier says
/// @param file path on the node, or `nvidia-smi` for a sample
/// @param offset byte offset in the file, -1 for a sample
public record Evidence(
    @Nullable Instant time, String node, String pod, String file, long offset, String text) {

  public Evidence {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(pod, "pod");
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(text, "text");
  }

  /// What no line of a file says, beside the file of a process.
  ///
  /// @param sensor who says it
  public static Evidence ofSensor(
      @Nullable Instant time, LogSource beside, String sensor, String text) {
    return new Evidence(time, beside.node(), beside.pod(), sensor, -1, text);
  }
}
