package io.ringside.schemas.event;

/// What a job died of. The labels are a contract with dashboards, alerts and scripts.
public enum FailureClass implements Labelled {
  /// CUDA had no memory left for an allocation.
  GPU_OUT_OF_MEMORY,
  /// The kernel's or the cgroup's memory killer ended a process, and a line says so.
  OUT_OF_MEMORY,
  /// SIGKILL, and nothing says who sent it.
  KILLED,
  SEGFAULT,
  /// An exception of the program, of Python or its libraries.
  EXCEPTION,
  /// ECC, Xid, a GPU that fell off the bus.
  GPU_ERROR,
  NODE_LOST,
  DISK_FULL,
  /// A file, a field or a download that the program needs is not there.
  DATA,
  /// A peer could not be reached, or let the connection go.
  NETWORK,
  NCCL,
  /// A variable or setting that this machine cannot serve.
  CONFIGURATION,
  /// The scheduler's time limit.
  TIME_LIMIT,
  /// Somebody asked for the end: SIGTERM of a scheduler, `scancel`, Ctrl-C.
  STOPPED,
  UNKNOWN;

  /// Whether the end was asked for.
  public boolean wanted() {
    return this == TIME_LIMIT || this == STOPPED;
  }
}
