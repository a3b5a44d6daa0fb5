package io.ringside.streams.parse.event;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

/// What launchers, runtimes and collectors wrote in front of a line about which rank wrote it and
/// when; of several the innermost that says it. Comes right before the line's own first event, and
/// not at all where nothing is said.
///
/// @param rank global rank, `[rank3]:`, or -1
/// @param task the launcher's number of the process, `[1,26]<stdout>:` (mpirun) or `3: ` (Slurm),
///     or -1. It is the global rank where the launcher starts one process for each GPU, and the
///     node's number where it starts torchrun
/// @param nanos epoch nanoseconds, a time without a zone read as UTC, where none with a zone is
///   there, or [io.ringside.schemas.event.LogChunk#NO_TIME]
/// @param digits sub-second digits of the time; 0 means whole seconds
public record LineOrigin(int rank, int task, long nanos, int digits) implements LineEvent {

  /// Nothing is known.
  public static final LineOrigin NONE = new LineOrigin(-1, -1, NO_TIME, 0);

  /// Whether there is a time.
  public boolean timed() {
    return nanos != NO_TIME;
  }
}
