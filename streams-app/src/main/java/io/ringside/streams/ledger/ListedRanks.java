package io.ringside.streams.ledger;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;

import io.ringside.schemas.event.RunSummary.RankWait;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Selects the ranks whose waits are listed in a summary, which is one record. A job of 4,000 ranks
/// fits as a whole. If there are too many, the list has the most waited-for rank of every node, so
/// that no node is missing, and then all ranks of the most waited-for nodes, so that a reader who
/// opens one of those sees it all.
public final class ListedRanks {
  /// Bytes of the record that ranks may take, so that it stays below the brokers' default limit of
  /// 1 MiB: it is sent again every few seconds.
  private static final int MOST = 960 << 10;

  /// Bytes of one rank apart from its names, as text.
  private static final int EACH = 200;

  private ListedRanks() {}

  /// The selected ranks, in rank order.
  public static List<RankWait> of(Collection<RankWait> all) {
    if (all.stream().mapToLong(ListedRanks::bytes).sum() <= MOST) {
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
    var listed = new ArrayList<RankWait>();
    long left = MOST;
    for (var rank :
        all.stream()
            .sorted(
                comparingInt((RankWait rank) -> first.contains(rank) ? 0 : 1)
                    .thenComparingDouble(
                        rank -> -worst.getOrDefault(place(rank), rank).blamedSeconds())
                    .thenComparing(comparing(ListedRanks::place)))
            .toList()) {
      left -= bytes(rank);
      if (left < 0) {
        break;
      }
      listed.add(rank);
    }
    listed.sort(comparingInt(RankWait::rank));
    return List.copyOf(listed);
  }

  private static int bytes(RankWait rank) {
    var gpu = rank.gpu();
    return EACH + rank.node().length() + rank.pod().length() + (gpu == null ? 0 : gpu.length());
  }

  private static String place(RankWait rank) {
    return rank.node().isEmpty() ? rank.pod() : rank.node();
  }
}
