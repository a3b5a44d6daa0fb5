package io.ringside.streams.parse.event;

/// A line of `ncclras`, NCCL's own view of a job (NCCL 2.24.3 to 2.30). One answer proves nothing: a healthy job races with
/// the question, and the fewer ranks are listed, not the slower ones.
public sealed interface RasEvent extends LineEvent {

  /// `#0-1 (abcdef0123456789) MISMATCH`: what follows concerns this communicator.
  ///
  /// @param commId hash of the communicator, `0x…`
  /// @param status `MISMATCH`, `INCOMPLETE`, `ERROR`, or several separated by commas
  record Communicator(String commId, String status) implements RasEvent {}

  /// `Communicator ranks have different AllGather operation counts`.
  ///
  /// @param op empty before 2.26, which counts all operations together
  record CountsDiffer(String op) implements RasEvent {}

  /// `4 ranks have launched up to operation 6650`.
  record Launched(int ranks, long operation) implements RasEvent {}

  /// `Rank 0 -- GPU 0 managed by process 9041 on node 172.16.64.213`: one of the ranks named just before.
  record Rank(int rank, int gpu, int pid, String node) implements RasEvent {}
}
