package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.fact.Arrivals.Numbered;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Processes with a communicator of one size whose init lines were not seen. They count as one
/// start as long as they are not more than the communicator's ranks and none has two such
/// communicators. Their calls are held until all ranks are here and it is clear whether equal
/// numbers mean equal rounds.
final class UnseenStart {
  /// Most calls of a rank that are held; the newest are kept.
  private static final int MOST_HELD = 50_000;

  /// Most calls of all ranks together.
  private static final int MOST_OF_ALL = 1 << 18;

  /// Lines need more memory than calls: only those of this many of a rank's newest chunks are held.
  private static final int CHUNKS_WITH_LINES = 4;

  private static final int FEWEST_HELD = 128;

  /// If this many ranks of one host all count a small call, `opCount` counts all calls: over a
  /// single channel the data leaves a host through one rank and enters it through another.
  private static final int MORE_THAN_TWO = 3;

  private int nranks;

  /// Stands for the commId, empty until it is known whose ranks are here.
  private String id = "";

  private boolean givenUp;
  private final Map<String, Rank> ranks = new TreeMap<>();

  /// Number of its first round.
  private long base;

  private long firstNanos = NO_TIME;
  private long lastNanos = NO_TIME;

  /// Number of rounds in the last check, which gave no result.
  private int tried;

  UnseenStart() {}

  UnseenStart(int nranks) {
    this.nranks = nranks;
  }

  /// One process of the start.
  private static final class Rank {
    String comm = "";
    String host = "";
    @Nullable Numbered numbered;
    int rank = -1;
    long next = -1;
    int held;
    final List<UnseenCalls> calls = new ArrayList<>();
  }

  int nranks() {
    return nranks;
  }

  String id() {
    return id;
  }

  /// Whether the process uses this name for the start's communicator.
  boolean calls(String process, @Nullable String told) {
    var known = ranks.get(process);
    return known != null && known.comm.equals(told);
  }

  Collection<String> processes() {
    return ranks.keySet();
  }

  /// Unix epoch nanoseconds of the first call of its first round; known once they are aligned.
  long firstNanos() {
    return firstNanos;
  }

  /// Time of the newest call.
  long lastNanos() {
    return lastNanos;
  }

  /// Records that nothing shows which calls belong together.
  void giveUp() {
    givenUp = true;
    ranks.clear();
  }

  /// Adds calls of a process before it is known whether they can be aligned.
  void hold(String process, String host, UnseenCalls calls) {
    if (givenUp) {
      return;
    }
    var known = ranks.get(process);
    if (known == null) {
      known = new Rank();
      known.comm = calls.calls().comm();
      known.host = host;
      ranks.put(process, known);
    }
    boolean goesOn = known.next < 0 || known.next == calls.calls().firstOrdinal();
    if (ranks.size() > nranks
        || !known.comm.equals(calls.calls().comm())
        || calls.calls().numbered() == Numbered.NOT_KNOWN
        || calls.calls().leftOut() > 0
        || !goesOn) {
      giveUp();
      return;
    }
    known.numbered = calls.calls().numbered();
    known.next = calls.next();
    known.held += calls.size();
    known.calls.add(calls);
    int older = known.calls.size() - 1 - CHUNKS_WITH_LINES;
    if (older >= 0) {
      known.calls.set(older, known.calls.get(older).withoutLines());
    }
    lastNanos = Math.max(lastNanos, calls.lastNanos());
    int most = Math.clamp(MOST_OF_ALL / nranks, FEWEST_HELD, MOST_HELD);
    while (known.held - known.calls.getFirst().size() >= most) {
      known.held -= known.calls.removeFirst().size();
    }
  }

  /// Whether it is now known which calls belong to one round.
  boolean aligned() {
    if (givenUp || ranks.size() < nranks || !countsAll()) {
      return false;
    }
    long from = Long.MIN_VALUE;
    long to = Long.MAX_VALUE;
    for (var rank : ranks.values()) {
      from = Math.max(from, rank.calls.getFirst().calls().firstOrdinal());
      to = Math.min(to, rank.next);
    }
    if (to - from < Math.max(CommonRounds.FEWEST, 2L * tried)) {
      return false;
    }
    var rounds = new CommonRounds(Math.toIntExact(to - from));
    for (var rank : ranks.values()) {
      for (var held : rank.calls) {
        rounds.add(held.calls(), from);
      }
      rounds.rankDone();
    }
    tried = Math.toIntExact(to - from);
    switch (rounds.verdict()) {
      case ALIGNED -> {
        base = from;
        firstNanos = rounds.firstNanos();
        return true;
      }
      case APART -> giveUp();
      case TOO_FEW -> {}
    }
    return false;
  }

  /// Whether NCCL counts all calls, on all ranks. Versions up to 2.26.6 do. Later ones count only
  /// calls that go over a network, and only on the ranks that the data passes.
  private boolean countsAll() {
    var byHost = new HashMap<String, List<Rank>>();
    ranks
        .values()
        .forEach(rank -> byHost.computeIfAbsent(rank.host, _ -> new ArrayList<>()).add(rank));
    return byHost.size() == 1
        || byHost.size() == nranks
        || byHost.values().stream()
            .anyMatch(
                host ->
                    host.size() >= MORE_THAN_TWO
                        && host.stream()
                            .allMatch(rank -> rank.numbered == Numbered.BY_COUNT_OF_ALL));
  }

  /// Records that the processes are these ranks of a communicator of this name: the held calls go
  /// into its rounds.
  void settle(String name, List<String> byRank, JobState state) {
    id = name;
    for (int rank = 0; rank < byRank.size(); rank++) {
      var process = byRank.get(rank);
      var known = ranks.get(process);
      if (known != null) {
        known.rank = rank;
        known.calls.forEach(held -> enter(known, held, state));
        known.calls.clear();
      }
    }
  }

  /// Adds later calls of a process. A process that comes later belongs to another start.
  void goOn(String process, UnseenCalls calls, JobState state) {
    var known = ranks.get(process);
    if (known == null || !known.comm.equals(calls.calls().comm())) {
      return;
    }
    if (calls.calls().numbered() == Numbered.NOT_KNOWN
        || calls.calls().firstOrdinal() != known.next) {
      state.communicator(id).ifPresent(communicator -> communicator.called().cut(known.rank));
      return;
    }
    known.next = calls.next() + calls.calls().leftOut();
    enter(known, calls, state);
  }

  private void enter(Rank rank, UnseenCalls calls, JobState state) {
    state.communicator(id).ifPresent(communicator -> calls.enter(communicator, base, rank.rank));
  }
}
