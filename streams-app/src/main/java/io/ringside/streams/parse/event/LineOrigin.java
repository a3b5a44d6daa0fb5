package io.ringside.streams.parse.event;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

/// What launchers, runtimes and collectors wrote in front of a line about where and when it was written; of several the
/// innermost that says it. Comes right before the line's own first event, and not at all where nothing is said.
///
/// @param node machine: `worker-0: ` (pdsh), Ray's ip, the host of journald and syslog; empty if unknown
/// @param pod pod, or the container of Docker Compose; empty if unknown
/// @param container container within the pod; empty if unknown
/// @param rank global rank, `[rank3]:`, or -1
/// @param localRank rank within the node, `[default3]:`, or -1
/// @param task the launcher's number of the process, `[1,26]<stdout>:` (mpirun) or `3: ` (Slurm), or -1. It is the global rank where
///     the launcher starts one process for each GPU, and the node's number where it starts torchrun
/// @param pid process id as Ray and journald give it, in the node's pid namespace or the container's, or -1
/// @param nanos epoch nanoseconds, a time without a zone read as UTC, where none with a zone is there, or [io.ringside.schemas.event.LogChunk#NO_TIME]
/// @param digits sub-second digits of the time; 0 means whole seconds
public record LineOrigin(
    String node,
    String pod,
    String container,
    int rank,
    int localRank,
    int task,
    int pid,
    long nanos,
    int digits)
    implements LineEvent {

  /// Nothing is known.
  public static final LineOrigin NONE = new LineOrigin("", "", "", -1, -1, -1, -1, NO_TIME, 0);

  /// Whether there is a time.
  public boolean timed() {
    return nanos != NO_TIME;
  }
}
