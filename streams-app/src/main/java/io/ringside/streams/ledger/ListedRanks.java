package io.ringside.streams.ledger;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;

import io.ringside.schemas.event.RunSummary.RankWait;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Whose waits the ledger's line lists, which is one record: of too many ranks that one of every node that others waited for
/// the longest, so that no node is left out, and then all ranks of the nodes that others waited for the longest, so that
/// whoever opens one sees all of it.
final class ListedRanks {
  /// As many nodes of eight GPUs are 32,768 ranks.
  private static final int MOST = 4_096;

  private ListedRanks() {}

  /// In the order of their numbers.
  static List<RankWait> of(Collection<RankWait> all) {
    if (all.size() <= MOST) {
      return List.copyOf(all);
    }
    Map<String, RankWait> worst = new HashMap<>();
    for (var rank : all) {
      worst.merge(
          place(rank),
          rank,
          (one, other) -> other.blamedSeconds() > one.blamedSeconds() ? other : one);
    }
    Set<RankWait> first = new HashSet<>(worst.values());
    return all.stream()
        .sorted(
            comparingInt((RankWait rank) -> first.contains(rank) ? 0 : 1)
                .thenComparingDouble(rank -> -worst.getOrDefault(place(rank), rank).blamedSeconds())
                .thenComparing(comparing(ListedRanks::place)))
        .limit(MOST)
        .sorted(comparingInt(RankWait::rank))
        .toList();
  }

  private static String place(RankWait rank) {
    return rank.node().isEmpty() ? rank.pod() : rank.node();
  }
}
