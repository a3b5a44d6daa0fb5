package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.waits.Rounds;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One communicator of a run, known by the same name on all its ranks.
public final class Communicator {
  private String id = "";
  private int nranks;
  private long startNanos = NO_TIME;
  private final Map<Integer, String> processByRank = new TreeMap<>();

  /// None before the first call: most groups of a large job never make one that is seen.
  private @Nullable Rounds rounds;

  Communicator() {}

  Communicator(String id, int nranks) {
    this.id = id;
    this.nranks = nranks;
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

  /// Its collective calls, aligned. To be read only.
  public Rounds rounds() {
    return rounds == null ? Uncalled.of(nranks) : rounds;
  }

  /// The same, to take in calls.
  Rounds called() {
    if (rounds == null) {
      rounds = new Rounds(nranks);
    }
    return rounds;
  }
}
