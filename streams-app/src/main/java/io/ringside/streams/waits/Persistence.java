package io.ringside.streams.waits;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// How often ranks that were late in one turn are late in the next one. Data of one length, a
/// neighbour, and whatever else makes healthy ranks late may last for many steps. The turns of such
/// a time are one draw, not many.
///
/// Each rank is weighed by the others only, and by their median: a slow host or a second straggler
/// does not change what is usual.
final class Persistence {
  /// Before anything is known, no rank is assumed to be late again. That counts as this many turns.
  private static final int KNOWN = 1;

  /// Largest share, so that a rank that is late for far longer than the others' delays last is
  /// found in the end: the rest of each turn counts anyway.
  private static final double MOST = 0.85;

  private static final int LATE = 0;
  private static final int AGAIN = 1;

  /// By rank, how often it was late, and how often it was late again in the next turn.
  private final Map<Integer, long[]> counts = new TreeMap<>();

  private Set<Integer> before = Set.of();

  /// @param late ranks that were late in the turn
  void turn(Set<Integer> late) {
    for (int rank : before) {
      var count = counts.computeIfAbsent(rank, _ -> new long[2]);
      count[LATE]++;
      count[AGAIN] += late.contains(rank) ? 1 : 0;
    }
    before = Set.copyOf(late);
  }

  /// How likely a healthy rank in this one's place is late again; 0 if this one was not late in the
  /// turn before.
  ///
  /// @param ranks number of ranks of the communicator
  double again(int rank, int ranks) {
    return before.contains(rank) ? ofOthers(rank, ranks) : 0;
  }

  /// How often the median of the other ranks was late again after it was late, 0 to 1.
  double ofOthers(int rank, int ranks) {
    int others = counts.size() - (counts.containsKey(rank) ? 1 : 0);
    // those that were never late come first, with 0
    int middle = (ranks - 1) / 2 - (ranks - 1 - others);
    return ranks > 2 && middle >= 0
        ? counts.entrySet().stream()
            .filter(entry -> entry.getKey() != rank)
            .mapToDouble(
                entry -> (double) entry.getValue()[AGAIN] / (entry.getValue()[LATE] + KNOWN))
            .map(share -> Math.min(MOST, share))
            .sorted()
            .skip(middle)
            .findFirst()
            .orElse(0)
        : 0;
  }
}
