package io.ringside.streams.fact;

import io.ringside.schemas.event.LogSource;

/// Names a training process: pids are small and equal in all pods, so the log file that the process
/// writes to is part of it. A restarted container writes to a new file.
public final class ProcessId {
  private ProcessId() {}

  /// The id of process `pid` that writes to this source.
  public static String of(LogSource source, int pid) {
    return source.id() + "|" + pid;
  }
}
