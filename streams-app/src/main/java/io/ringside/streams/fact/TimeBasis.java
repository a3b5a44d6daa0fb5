package io.ringside.streams.fact;

/// How the time of a line is known, best first.
public enum TimeBasis {
  /// The container runtime's stamp: when the line arrived at the runtime, in nanoseconds.
  CONTAINER,
  /// NCCL's own stamp with sub-second digits.
  NCCL,
  /// NCCL's own stamp in whole seconds, its default format.
  NCCL_SECONDS,
  /// When the agent read the line, while it followed the end of the file.
  READ,
  /// Nobody knows.
  NONE;

  /// Whether differences of a few milliseconds between ranks can be read off such times.
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
