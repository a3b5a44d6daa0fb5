package io.ringside.streams.detect;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// One file of hand-made NCCL lines of several hosts, and what is told of it.
public final class HandMadeLog {
  private final List<String> lines = new ArrayList<>();

  /// A rank of a communicator of all ranks that comes up.
  ///
  /// @param localRanks how many ranks a host has
  /// @param network what `Using network` says
  /// @param extra messages of the rank before its communicator
  public HandMadeLog rank(int rank, int nranks, int localRanks, String network, String... extra) {
    for (var message : extra) {
      say(rank, localRanks, message);
    }
    say(rank, localRanks, "NCCL INFO Using network " + network);
    init(rank, nranks, localRanks, "START");
    say(
        rank,
        localRanks,
        "NCCL INFO comm 0x55 rank %d nRanks %d nNodes %d localRanks %d localRank %d MNNVL 0"
            .formatted(rank, nranks, nranks / localRanks, localRanks, rank % localRanks));
    return this;
  }

  /// Ends the rank's init.
  public HandMadeLog up(int rank, int nranks, int localRanks) {
    init(rank, nranks, localRanks, "COMPLETE");
    return this;
  }

  private void init(int rank, int nranks, int localRanks, String phase) {
    say(
        rank,
        localRanks,
        "NCCL INFO ncclCommInitRank comm 0x55 rank %d nranks %d cudaDev %d nvmlDev %d busId %x000 commId 0xabc - Init %s"
            .formatted(
                rank, nranks, rank % localRanks, rank % localRanks, 1 + rank % localRanks, phase));
  }

  /// An edge to the next rank.
  public HandMadeLog edge(int rank, int nranks, int localRanks, String transport) {
    say(
        rank,
        localRanks,
        "NCCL INFO Channel 00/0 : %d[0] -> %d[0] [send] via %s"
            .formatted(rank, (rank + 1) % nranks, transport));
    return this;
  }

  /// A message with its level, behind the header of the rank.
  public HandMadeLog say(int rank, int localRanks, String message) {
    lines.add(
        "rack1-%02d:%d:%d [%d] %s"
            .formatted(rank / localRanks, 100 + rank, 200 + rank, rank % localRanks, message));
    return this;
  }

  /// A line without a header.
  public HandMadeLog line(String line) {
    lines.add(line);
    return this;
  }

  /// What is told of it.
  public List<Finding> findings() {
    return Recorded.of(Map.of("job.log", lines)).judged().findings();
  }

  /// The last run.
  public RunSummary run() {
    return Recorded.of(Map.of("job.log", lines)).judged().runs().getLast();
  }
}
