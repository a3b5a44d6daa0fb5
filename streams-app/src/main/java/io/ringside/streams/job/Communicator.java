package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.waits.Rounds;
import java.util.Map;
import java.util.TreeMap;

/// One communicator of a run, known by the same name on all its ranks.
public final class Communicator {
  private String id = "";
  private int nranks;
  private long startNanos = NO_TIME;
  private final Map<Integer, String> processByRank = new TreeMap<>();
  private Rounds rounds = new Rounds();

  Communicator() {}

  Communicator(String id, int nranks) {
    this.id = id;
    this.nranks = nranks;
    this.rounds = new Rounds(nranks);
  }

  void join(int rank, String process, long atNanos) {
    processByRank.put(rank, process);
    if (atNanos != NO_TIME) {
      startNanos = startNanos == NO_TIME ? atNanos : Math.min(startNanos, atNanos);
    }
  }

  /// When its first rank began its init, NO_TIME if no line says.
  public long startNanos() {
    return startNanos;
  }

  /// NCCL's commId, or parent/splitCount/color for a split.
  public String id() {
    return id;
  }

  public int nranks() {
    return nranks;
  }

  /// Process ids of the ranks that have lines.
  public Map<Integer, String> processByRank() {
    return processByRank;
  }

  /// Its collective calls, aligned.
  public Rounds rounds() {
    return rounds;
  }
}
