package io.ringside.streams.fact;

/// Where the time of a line comes from, best first.
public enum TimeBasis {
  /// The container runtime's timestamp: when the line arrived at the runtime, in nanoseconds.
  CONTAINER,
  /// NCCL's own timestamp with sub-second digits.
  NCCL,
  /// NCCL's own timestamp in whole seconds, its default format.
  NCCL_SECONDS,
  /// When the agent read the line, while it followed the end of the file.
  READ,
  /// The time is unknown.
  NONE;

  /// Whether such times show differences of a few milliseconds between ranks.
  public boolean fine() {
    return this == CONTAINER || this == NCCL;
  }

  /// The word for reports.
  public String label() {
    return switch (this) {
      case CONTAINER -> "container";
      case NCCL -> "nccl";
      case NCCL_SECONDS -> "nccl-seconds";
      case READ -> "read";
      case NONE -> "";
    };
  }
}
