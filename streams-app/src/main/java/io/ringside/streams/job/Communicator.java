package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.waits.Rounds;
import io.ringside.streams.waits.Waits;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One communicator of a run, known by the same name on all its ranks.
public final class Communicator {
  /// Rounds of a communicator without calls.
  private static final Rounds UNCALLED = new Rounds(0);

  private String id = "";
  private int nranks;
  private long startNanos = NO_TIME;
  private final Map<Integer, String> processByRank = new TreeMap<>();

  /// Whether no line names it, so that its ranks were matched by size and time.
  private boolean unnamed;

  /// Host of its ranks; only for an unnamed communicator.
  private String host = "";

  private boolean hosts;
  private boolean unsure;

  /// Null before the first call: most groups of a large job never make a call that is seen.
  private @Nullable Rounds rounds;

  /// Whether all known files have ended.
  private boolean over;

  /// The rounds if no other files come.
  private transient @Nullable Rounds ended;

  /// The rounds while no lines come, null if they are no others.
  private transient @Nullable Rounds idle;

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

  /// Records a rank of a communicator that no line names.
  void joinUnnamed(String itsHost) {
    hosts |= unnamed && !host.equals(itsHost);
    unnamed = true;
    host = itsHost;
  }

  /// Whether no line names it.
  public boolean unnamed() {
    return unnamed;
  }

  /// Records that an init line was not seen: the n-th communicator that came up may be a different
  /// one on each rank.
  void unsure() {
    unsure |= unnamed;
  }

  /// Whether the calls of its ranks are known to belong together. They are if it is named. If it is
  /// not, every rank must be present, or all ranks must be on one host: two groups share no host
  /// without sharing ranks.
  private boolean aligned() {
    return !unnamed || !unsure && (!hosts || processByRank.size() == nranks);
  }

  /// Whether it made calls that are left out of all comparisons.
  public boolean withheld() {
    return rounds != null && !aligned();
  }

  /// Whether it made calls.
  boolean calls() {
    return rounds != null;
  }

  /// When its first rank began its init, NO_TIME if no line states it.
  public long startNanos() {
    return startNanos;
  }

  /// NCCL's commId, or parent/splitCount/color for a split; if no line states it, its size and when
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

  /// Its collective calls, aligned. Must not be changed.
  public Rounds rounds() {
    if (rounds == null || !aligned()) {
      return UNCALLED;
    }
    if (!over) {
      return idle == null ? rounds : idle;
    }
    if (ended == null) {
      ended = rounds.ended();
    }
    return ended;
  }

  /// The same rounds, for adding calls.
  Rounds called() {
    ended = null;
    if (rounds == null) {
      rounds = new Rounds(nranks);
    }
    return rounds;
  }

  /// Which ranks waited for which in them.
  public Waits waits() {
    return rounds().waits();
  }

  void over(boolean isOver) {
    over = isOver;
    ended = null;
  }

  /// Has the rounds judged as they are until [#resume], in a copy if any wait for more: those that
  /// were judged half full must not be kept.
  void idle(UnaryOperator<Rounds> copy) {
    var now = rounds();
    if (now.anyWait()) {
      idle = copy.apply(now);
      idle.idle();
    }
  }

  /// Lines may come again.
  void resume() {
    idle = null;
  }
}
