package io.ringside.streams.fact;

import io.ringside.schemas.event.LogSource;

/// The writer of a line, taken from NCCL's header and its init lines. Pids are small and repeat in
/// the pods and on the hosts of one job, so the host is part of the identity. A process with
/// several GPUs counts as several ranks.
///
/// @param host host name in NCCL's header; empty if it equals the pod's name, as in most pods
/// @param pid process ID in its own PID namespace
/// @param gpu 0 for the process's first GPU, 1 for its second, and so on
public record Writer(String host, int pid, int gpu) {
  /// Index that stands for the writer of a line that names none.
  public static final int NONE = -1;

  /// The host name in NCCL's header, empty for a line without one.
  public String hostOf(LogSource source) {
    return pid < 0 ? "" : host.isEmpty() ? source.pod() : host;
  }

  /// Unique and permanent ID of the training process: a restarted container writes to a new file.
  public String process(LogSource source) {
    return source.id() + "|" + hostOf(source) + "|" + pid + (gpu == 0 ? "" : "|" + gpu);
  }
}
