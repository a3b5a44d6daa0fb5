package io.ringside.streams.fact;

import io.ringside.schemas.event.LogSource;

/// Who wrote a line, as NCCL's header and its init lines say. Pids are small and equal in all pods and on all
/// hosts of one job, so the host is part of it; a process with several GPUs is as many ranks.
///
/// @param host host name in NCCL's header; in a pod it is the pod's
/// @param pid process id in its own pid namespace
/// @param gpu 0 for the process's first GPU, 1 for its second …
public record Writer(String host, int pid, int gpu) {
  /// Stands for the writer of a line that names none.
  public static final int NONE = -1;

  /// Names the training process for ever: a restarted container writes to a new file.
  public String process(LogSource source) {
    return source.id() + "|" + host + "|" + pid + (gpu == 0 ? "" : "|" + gpu);
  }
}
