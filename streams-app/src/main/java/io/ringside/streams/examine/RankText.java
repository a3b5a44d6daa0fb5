package io.ringside.streams.examine;

import java.util.Collection;
import java.util.TreeSet;

/// Formats lists of ranks for people.
public final class RankText {
  private RankText() {}

  /// `rank 3`, `ranks 0, 2`, `ranks 0-7, 12`; `some ranks` if none is known.
  public static String words(Collection<Integer> ranks) {
    var sorted = new TreeSet<>(ranks);
    sorted.removeIf(rank -> rank < 0);
    if (sorted.isEmpty()) {
      return "some ranks";
    }
    var text = new StringBuilder(sorted.size() == 1 ? "rank " : "ranks ");
    Integer from = null;
    Integer to = null;
    boolean first = true;
    for (int rank : sorted) {
      if (to != null && rank == to + 1) {
        to = rank;
        continue;
      }
      if (from != null && to != null) {
        append(text, first, from, to);
        first = false;
      }
      from = rank;
      to = rank;
    }
    if (from != null && to != null) {
      append(text, first, from, to);
    }
    return text.toString();
  }

  /// Ranks with a verb: `rank 3 waits`, `ranks 0, 2 wait`.
  public static String clause(Collection<Integer> ranks, String ofOne, String ofSeveral) {
    boolean one = ranks.stream().filter(rank -> rank >= 0).distinct().count() == 1;
    return words(ranks) + " " + (one ? ofOne : ofSeveral);
  }

  private static void append(StringBuilder text, boolean first, int from, int to) {
    if (!first) {
      text.append(", ");
    }
    text.append(from);
    if (to > from) {
      text.append(to == from + 1 ? ", " : "-").append(to);
    }
  }
}
