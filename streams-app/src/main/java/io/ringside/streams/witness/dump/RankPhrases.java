package io.ringside.streams.witness.dump;

import java.util.ArrayList;
import java.util.Collection;
import java.util.TreeSet;

/// Formats ranks as text.
final class RankPhrases {
  private static final int MOST = 8;

  private RankPhrases() {}

  /// `rank 3`, `ranks 0, 1 and 3`, `ranks 0-7`, `ranks 0, 2, 4 … (12 ranks)`.
  static String ranks(Collection<Integer> ranks) {
    var sorted = new ArrayList<>(new TreeSet<>(ranks));
    if (sorted.size() == 1) {
      return "rank " + sorted.getFirst();
    }
    if (sorted.isEmpty()) {
      return "no rank";
    }
    if (sorted.size() > 2 && sorted.getLast() - sorted.getFirst() == sorted.size() - 1) {
      return "ranks %d-%d".formatted(sorted.getFirst(), sorted.getLast());
    }
    var told = sorted.stream().limit(MOST).map(String::valueOf).toList();
    return sorted.size() > MOST
        ? "ranks %s … (%d ranks)".formatted(String.join(", ", told), sorted.size())
        : "ranks %s and %s"
            .formatted(String.join(", ", told.subList(0, told.size() - 1)), told.getLast());
  }
}
