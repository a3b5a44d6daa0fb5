package io.ringside.streams.node;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.fact.Fact;
import io.ringside.streams.parse.event.LoopEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Combines the progress that each rank's own lines show into one statement for each chunk.
/// Remembered from chunk to chunk. Owned by one stream thread.
final class StrideReading {
  private static final int MOST_RANKS = 1024;

  private final Map<Integer, Stride> byRank = new TreeMap<>();

  /// The last such line of each rank in the current chunk.
  private transient @Nullable Map<Integer, Fact> moved;

  /// Progress of one rank.
  static final class Stride {
    private long step = -1;
    private int lines;
    private int beats;
    private int usual;
    private int steps;
    private long atNanos = NO_TIME;
    private long longestNanos;

    private void note(long next, long nanos, boolean beat) {
      if (next != step) {
        usual = next > step ? lines : 0;
        steps = next > step ? steps + 1 : 1;
        lines = 0;
        beats = 0;
        step = next;
      }
      lines += beat ? 0 : 1;
      beats += beat ? 1 : 0;
      if (atNanos != NO_TIME && nanos != NO_TIME) {
        longestNanos = Math.max(longestNanos, nanos - atNanos);
      }
      atNanos = nanos;
    }
  }

  void note(LoopEvent.Position at, Fact line) {
    if (byRank.size() < MOST_RANKS || byRank.containsKey(at.rank())) {
      byRank
          .computeIfAbsent(at.rank(), _ -> new Stride())
          .note(at.step(), line.atNanos(), at.beat());
      moved().put(at.rank(), line);
    }
  }

  /// Returns and forgets the statements about the ranks with such lines in the chunk.
  List<Fact> take() {
    var facts = new ArrayList<Fact>();
    moved()
        .forEach(
            (rank, line) -> {
              var of = byRank.getOrDefault(rank, new Stride());
              facts.add(
                  line.saying(
                      new LoopEvent.RankProgress(
                          rank, of.step, of.lines, of.usual, of.steps, of.longestNanos, of.beats)));
            });
    moved().clear();
    return facts;
  }

  private Map<Integer, Fact> moved() {
    var known = moved;
    if (known == null) {
      known = new TreeMap<>();
      moved = known;
    }
    return known;
  }
}
