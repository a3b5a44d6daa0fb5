package io.ringside.streams.waits;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// How often ranks that were late in one turn are late in the next one. Data of one length, a
/// neighbour and whatever else makes healthy ranks late may hold for many steps: then the turns of
/// such a time are one draw, not many.
///
/// Each rank is weighed by the others alone, and by the middle one of them: a slow host or a second
/// straggler says nothing of what is usual.
final class Persistence {
  /// Nobody is taken to be late again before it was so: that counts as so many turns.
  private static final int KNOWN = 1;

  /// Who is late for far longer than the others' delays hold is told in the end: so much of each
  /// turn counts anyway.
  private static final double MOST = 0.85;

  private static final int LATE = 0;
  private static final int AGAIN = 1;

  /// By rank how often it was late, and how often in the next turn again.
  private final Map<Integer, long[]> counts = new TreeMap<>();

  private Set<Integer> before = Set.of();

  /// @param late who was late in it
  void turn(Set<Integer> late) {
    for (int rank : before) {
      var count = counts.computeIfAbsent(rank, _ -> new long[2]);
      count[LATE]++;
      count[AGAIN] += late.contains(rank) ? 1 : 0;
    }
    before = Set.copyOf(late);
  }

  /// How likely a healthy rank in this one's place is late again; 0 if it was not late in the turn
  /// before.
  ///
  /// @param ranks of the communicator
  double again(int rank, int ranks) {
    return before.contains(rank) ? ofOthers(rank, ranks) : 0;
  }

  /// How often the middle one of the others was late again once it was late, 0 to 1.
  double ofOthers(int rank, int ranks) {
    int others = counts.size() - (counts.containsKey(rank) ? 1 : 0);
    // those that were never late stand in front, with 0
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
