package io.ringside.streams.parse.event;

import java.util.List;

/// What PyTorch's process groups and torchrun print. Shapes seen in torch 2.0 to 2.14.1. `rank` is
/// the global rank from `[rankN]:` if the line has it, else the rank in the message, else -1.
public sealed interface TorchEvent extends LineEvent {

  /// The watchdog gave up on a collective, or reports how far this rank had come.
  ///
  /// `Watchdog caught collective operation timeout: WorkNCCL(SeqNum=91, OpType=…,
  /// Timeout(ms)=20000) ran for 20044 milliseconds …` has `ranMillis`; the line after it, `failure
  /// detected by watchdog at work sequence id: 91 PG status: last enqueued work: 93, last completed
  /// work: 90`, has the other two.
  ///
  /// @param sequence sequence number in its process group, or -1
  /// @param opType `ALLREDUCE`, `_REDUCE_SCATTER_BASE`, …; empty in the status line
  /// @param ranMillis time since this rank enqueued it, or -1
  /// @param lastEnqueued sequence number, or -1
  /// @param lastCompleted sequence number, or -1
  /// @param group number of the process group from `PG GUID`, or empty
  record WatchdogTimeout(
      int rank,
      long sequence,
      String opType,
      long ranMillis,
      long lastEnqueued,
      long lastCompleted,
      String group)
      implements TorchEvent {}

  /// `Received a dump signal due to a collective timeout from  rank 3 …`, which any NCCL error also
  /// triggers (PyTorch 2.5 to 2.11, ProcessGroupNCCL.cpp), or
  /// `Observed flight recorder dump signal from another rank via TCPStore.`
  ///
  /// @param fromRank the rank that timed out first (a victim), `rank` itself if it was this one, or
  ///   -1
  /// @param group as for [WatchdogTimeout]
  record DumpSignal(int rank, int fromRank, long lastEnqueued, long lastCompleted, String group)
      implements TorchEvent {}

  /// The watchdog thread itself hangs: this rank is a suspect.
  ///
  /// @param seconds how long, or -1
  record WatchdogStuck(int rank, long seconds) implements TorchEvent {}

  /// The process is taken down: `… terminated with exception: …`,
  /// `we are taking the entire process down`.
  record TakenDown(int rank, String reason) implements TorchEvent {}

  /// Ranks that a report names as lagging: desync report, or `failed to pass monitoredBarrier`.
  record LaggingRanks(List<Integer> ranks) implements TorchEvent {
    public LaggingRanks {
      ranks = List.copyOf(ranks);
    }
  }

  /// `[PG ID 3 PG GUID 20(TENSOR_MODEL_PARALLEL_GROUP) Rank 0] ProcessGroupNCCL initialization
  /// options: size: 4, global rank: 1, TIMEOUT(ms): 600000, …`.
  ///
  /// @param rank rank in the world
  /// @param size number of ranks in the group
  /// @param group number from `PG GUID`, or empty
  /// @param description the program's name for the group, or empty
  record GroupOptions(int rank, int size, String group, String description) implements TorchEvent {}

  /// `ProcessGroupNCCL broadcast unique ID through store took 25044.6 ms`: how long this rank
  /// waited for the unique id, which rank 0 hands out once all ranks are there.
  record UniqueIdWait(int rank, double waitedMillis) implements TorchEvent {}

  /// `… NCCL error in: …ProcessGroupNCCL.cpp:3135, invalid usage (run with …), NCCL version
  /// 2.28.9`.
  record NcclFailure(int rank, String error) implements TorchEvent {}

  /// The host of the TCPStore is gone or does not answer. Other lines give the cause. This line is
  /// no sign that the rank still makes progress.
  record StoreLost() implements TorchEvent {}

  /// torchrun saw a worker end: `failed (exitcode: -6) local_rank: 0 (pid: 4187) of binary: …`.
  ///
  /// @param exitCode negative is a signal; -15 means that torchrun itself ended the worker
  record ElasticFailure(int exitCode, int localRank, int pid) implements TorchEvent {}

  /// One field of torchrun's failure table, which prints one field per line: `time`, `host`,
  /// `rank`, `exitcode`, `error_file`, `traceback`; or `root cause` for the heading of the last
  /// entry. `mpi rank` and `mpi exitcode` are fields of Open MPI's report.
  record FailureField(String name, String value) implements TorchEvent {}

  /// `Worker group FAILED. 2/3 attempts left; will restart worker group`.
  record ElasticRestart() implements TorchEvent {}

  /// What the torchrun agent is doing: `rendezvous`, `rendezvous complete`, `starting
  /// workers`, `finished`, `closing`, `new nodes`, `death signal`.
  record ElasticPhase(String phase) implements TorchEvent {}

  /// `global_ranks=[4, 5, 6, 7]` of the rendezvous result.
  record ElasticRanks() implements TorchEvent {}
}
