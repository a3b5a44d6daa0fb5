package io.ringside.lab.simulate;

/// How a job's lines get their times.
public enum Output {
  /// Container runtime, a line at a time.
  CONTAINER,
  /// No times but NCCL's own, with microseconds.
  NCCL_MICROS,
  /// No times but NCCL's own, whole seconds.
  NCCL_SECONDS,
  /// Container runtime, but C stdio holds lines back in blocks of 4 KiB.
  BLOCKS
}
