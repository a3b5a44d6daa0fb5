package io.ringside.streams.fact;

import io.ringside.schemas.event.LogSource;

/// Who wrote a line, as NCCL's header and its init lines say. Pids are small and equal in all pods
/// and on all hosts of one job, so the host is part of it; a process with several GPUs is as many
/// ranks.
///
/// @param host host name in NCCL's header; empty where it is the pod's, as in most pods
/// @param pid process id in its own pid namespace
/// @param gpu 0 for the process's first GPU, 1 for its second …
public record Writer(String host, int pid, int gpu) {
  /// Stands for the writer of a line that names none.
  public static final int NONE = -1;

  /// The host name in NCCL's header, empty for a line that has none.
  public String hostOf(LogSource source) {
    return pid < 0 ? "" : host.isEmpty() ? source.pod() : host;
  }

  /// Names the training process for ever: a restarted container writes to a new file.
  public String process(LogSource source) {
    return source.id() + "|" + hostOf(source) + "|" + pid + (gpu == 0 ? "" : "|" + gpu);
  }
}
