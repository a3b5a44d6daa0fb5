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

/// Whose time lines the ledger's line has: all ranks' of a small run; of a large one those of whole
/// nodes, the ones that others waited for the longest, so that a reader can open each node that is
/// drawn, without ranks that neither waited nor were waited for. Where nobody tells nodes apart,
/// those of the worst ranks.
final class ListedTimelines {
  /// Bytes that they may take of a record that the ranks of a very large run fill nearly alone, see
  /// {@link ListedRanks}.
  private static final int LEFT = 48 << 10;

  private static final int MOST = 192 << 10;

  /// Up to so many ranks their own list leaves room for all of it.
  private static final int ROOMY = 2_048;

  private ListedTimelines() {}

  /// In the order of their numbers.
  ///
  /// @param places of all ranks that were seen, by rank
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

  /// How long others waited for the one of them that they waited for the longest.
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
