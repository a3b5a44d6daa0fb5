package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.waits.Rounds;
import io.ringside.streams.waits.Waits;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One communicator of a run, known by the same name on all its ranks.
public final class Communicator {
  /// What there is to read of those without calls.
  private static final Rounds UNCALLED = new Rounds(0);

  private String id = "";
  private int nranks;
  private long startNanos = NO_TIME;
  private final Map<Integer, String> processByRank = new TreeMap<>();

  /// Whether no line names it, so that it was put together by size and time.
  private boolean unnamed;

  /// The host of its ranks; of an unnamed one only.
  private String host = "";

  private boolean hosts;
  private boolean unsure;

  /// None before the first call: most groups of a large job never make one that is seen.
  private @Nullable Rounds rounds;

  /// Whether all files that are known have ended.
  private boolean over;

  /// The rounds if these are all files there are.
  private transient @Nullable Rounds ended;

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

  /// A rank of a communicator that no line names.
  void joinUnnamed(String itsHost) {
    hosts |= unnamed && !host.equals(itsHost);
    unnamed = true;
    host = itsHost;
  }

  /// Whether no line names it.
  public boolean unnamed() {
    return unnamed;
  }

  /// An init line was not seen: what came up as the n-th may be another communicator on each rank.
  void unsure() {
    unsure |= unnamed;
  }

  /// Whether it is known that the calls of its ranks belong together: they do if it is named. Of
  /// one that is not each rank must be there once, or all of one host: two groups share no host
  /// without sharing ranks.
  private boolean aligned() {
    return !unnamed || !unsure && (!hosts || processByRank.size() == nranks);
  }

  /// Whether it made calls that are compared with none.
  public boolean withheld() {
    return rounds != null && !aligned();
  }

  /// Whether it made calls.
  boolean calls() {
    return rounds != null;
  }

  /// When its first rank began its init, NO_TIME if no line says.
  public long startNanos() {
    return startNanos;
  }

  /// NCCL's commId, or parent/splitCount/color for a split; where no line says, its size and when
  /// it came up.
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
    if (rounds == null || !aligned()) {
      return UNCALLED;
    }
    if (!over) {
      return rounds;
    }
    if (ended == null) {
      ended = rounds.ended();
    }
    return ended;
  }

  /// The same rounds, to take in calls.
  Rounds called() {
    ended = null;
    if (rounds == null) {
      rounds = new Rounds(nranks);
    }
    return rounds;
  }

  /// Who waited for whom in them.
  public Waits waits() {
    return rounds().waits();
  }

  void over(boolean isOver) {
    over = isOver;
    ended = null;
  }
}
