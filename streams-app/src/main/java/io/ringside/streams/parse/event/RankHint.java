package io.ringside.streams.parse.event;

/// A launcher's wrapper in front of the line names the writer: `[rank3]:` (global rank), `[1,26]<stdout>:`
/// (mpirun, rank in the job), `3: ` (Slurm, task id) or `[default3]:` (torchrun, local rank).
/// Comes right before the line's own first event.
///
/// @param rank the number in the wrapper
/// @param local true if it counts within the node only
public record RankHint(int rank, boolean local) implements LineEvent {}
