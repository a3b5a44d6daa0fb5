package io.ringside.schemas.event;

/// Why a job died. The labels are a contract with dashboards, alerts and scripts.
public enum FailureClass implements LabelledEnum {
  /// CUDA could not allocate memory.
  GPU_OUT_OF_MEMORY,
  /// The memory killer of the kernel or the cgroup ended a process, as a line says.
  OUT_OF_MEMORY,
  /// SIGKILL from an unknown sender.
  KILLED,
  SEGFAULT,
  /// An exception of the program, Python or a library.
  EXCEPTION,
  /// ECC errors, an Xid, or a GPU that fell off the bus.
  GPU_ERROR,
  NODE_LOST,
  DISK_FULL,
  /// A file, a field or a download that the program needs is missing.
  DATA,
  /// A peer could not be reached or closed the connection.
  NETWORK,
  NCCL,
  /// A variable or setting that this machine cannot satisfy.
  CONFIGURATION,
  /// The scheduler's time limit was reached.
  TIME_LIMIT,
  /// The end was requested: SIGTERM from a scheduler, `scancel`, Ctrl-C.
  STOPPED,
  UNKNOWN;

  /// Whether the end was intended.
  public boolean wanted() {
    return this == TIME_LIMIT || this == STOPPED;
  }
}
