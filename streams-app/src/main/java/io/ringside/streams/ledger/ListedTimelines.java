package io.ringside.streams.ledger;

import static java.util.Comparator.comparingInt;
import static java.util.Comparator.comparingLong;

import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunAggregates.RankTimeline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Selects the ranks whose time lines are in a summary. A small run has all ranks. A large run has
/// those of whole nodes, beginning with the most waited-for ones, so that a reader can open each
/// node that is drawn; ranks that neither waited nor were waited for are left out. If nodes are not
/// distinguished, the worst ranks are selected.
final class ListedTimelines {
  /// Bytes that time lines may take in the record of a very large run, which its ranks nearly fill,
  /// see {@link ListedRanks}.
  private static final int LEFT = 48 << 10;

  private static final int MOST = 192 << 10;

  /// Up to this many ranks, the list of ranks leaves room for the larger limit.
  private static final int ROOMY = 2_048;

  private ListedTimelines() {}

  /// The selected time lines, in rank order.
  ///
  /// @param places node of each rank that was seen, by rank
  static List<RankTimeline> of(Collection<RankTimeline> all, Map<Integer, String> places) {
    if (places.size() <= RunAggregates.MAX_RANKS) {
      return List.copyOf(all);
    }
    var nodes =
        all.stream()
            .filter(line -> !line.waitMillis().isEmpty() || !line.blamedMillis().isEmpty())
            .collect(
                Collectors.groupingBy(
                    line -> places.getOrDefault(line.rank(), ""),
                    TreeMap::new,
                    Collectors.toList()));
    if (nodes.size() == 1) {
      return byRank(
          nodes.firstEntry().getValue().stream()
              .sorted(comparingLong(ListedTimelines::blamed).reversed())
              .limit(RunAggregates.MAX_RANKS));
    }
    var listed = new ArrayList<RankTimeline>();
    int left = places.size() <= ROOMY ? MOST : LEFT;
    for (var node :
        nodes.values().stream().sorted(comparingLong(ListedTimelines::worst).reversed()).toList()) {
      left -= bytes(node);
      if (left < 0 || listed.size() + node.size() > RunAggregates.MAX_LISTED) {
        break;
      }
      listed.addAll(node);
    }
    return byRank(listed.stream());
  }

  private static List<RankTimeline> byRank(Stream<RankTimeline> lines) {
    return lines.sorted(comparingInt(RankTimeline::rank)).toList();
  }

  /// How long others waited for the most waited-for rank of a node, in milliseconds.
  private static long worst(List<RankTimeline> node) {
    return node.stream().mapToLong(ListedTimelines::blamed).max().orElse(0);
  }

  private static long blamed(RankTimeline line) {
    return line.blamedMillis().stream().mapToLong(Integer::longValue).sum();
  }

  private static int bytes(List<RankTimeline> node) {
    return node.stream().mapToInt(ListedTimelines::bytes).sum();
  }

  private static int bytes(RankTimeline line) {
    int bytes = 60;
    for (var numbers : List.of(line.waitMillis(), line.blamedMillis())) {
      for (int number : numbers) {
        bytes += 1 + Integer.toString(number).length();
      }
    }
    return bytes;
  }
}
