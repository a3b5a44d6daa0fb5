package io.ringside.streams.witness.dump;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Finds ranks that wait in calls of different groups, each with the other's call still ahead of
/// it.
final class CrossedCalls {
  private CrossedCalls() {}

  /// @param odd ranks whose order differs from that of more than half; empty without such a
  ///   majority
  record Crossing(Set<Integer> odd, Set<Integer> all, String words) {}

  /// Finds a crossing among ranks that wait for each other, by the first call in which each waits.
  static Optional<Crossing> among(Set<Integer> circle, RunDumps dumps) {
    var sides = new LinkedHashMap<String, Set<Integer>>();
    var words = new HashMap<String, String>();
    for (int rank : circle) {
      var pending = dumps.pending(rank);
      if (!pending.isEmpty()) {
        var first = pending.getFirst();
        var key = first.p2p() ? "pair " + rank : first.group() + " " + first.collective();
        sides.computeIfAbsent(key, _ -> new TreeSet<>()).add(rank);
        words.put(
            key,
            "%s of %s"
                .formatted(
                    first.p2p()
                        ? first.words()
                        : "call %d, %s,".formatted(first.collective(), first.words()),
                    dumps.words(first.group())));
      }
    }
    return sides.size() < 2 ? Optional.empty() : Optional.of(crossing(sides, words));
  }

  private static Crossing crossing(Map<String, Set<Integer>> sides, Map<String, String> words) {
    var all = new TreeSet<Integer>();
    sides.values().forEach(all::addAll);
    var odd = new TreeSet<Integer>();
    sides.values().stream()
        .filter(side -> 2 * side.size() > all.size())
        .findFirst()
        .ifPresent(
            side -> {
              odd.addAll(all);
              odd.removeAll(side);
            });
    var told =
        sides.entrySet().stream()
            .map(
                side ->
                    "%s in %s"
                        .formatted(RankPhrases.ranks(side.getValue()), words.get(side.getKey())))
            .toList();
    return new Crossing(odd, all, "each waits for the other: " + String.join(", ", told));
  }
}
