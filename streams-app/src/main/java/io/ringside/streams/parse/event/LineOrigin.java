package io.ringside.streams.parse.event;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

/// The rank and the time that launchers, runtimes and collectors wrote in front of a line. Where
/// several prefixes give a value, the innermost counts. The event comes right before the line's own
/// first event; there is none if no prefix gives a rank or a time.
///
/// @param rank global rank from `[rank3]:`, or -1
/// @param task the launcher's number of the process, `[1,26]<stdout>:` (mpirun) or `3: ` (Slurm),
///   or -1. It is the global rank where the launcher starts one process for each GPU, and the
///   number of the node where it starts torchrun
/// @param nanos epoch nanoseconds, or [io.ringside.schemas.event.LogChunk#NO_TIME]. A time with a
///   zone takes precedence; a time without a zone is read as UTC
/// @param digits sub-second digits of the time; 0 means whole seconds
public record LineOrigin(int rank, int task, long nanos, int digits) implements LineEvent {

  /// Neither a rank nor a time is known.
  public static final LineOrigin NONE = new LineOrigin(-1, -1, NO_TIME, 0);

  /// Whether there is a time.
  public boolean timed() {
    return nanos != NO_TIME;
  }
}
