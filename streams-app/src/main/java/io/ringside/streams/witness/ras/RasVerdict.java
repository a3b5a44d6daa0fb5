package io.ringside.streams.witness.ras;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// What RAS's answers show about one communicator.
///
/// @param commId ID of the communicator that the ranks belong to
/// @param nranks least number of its ranks: text answers count only ranks with a problem
/// @param pids process IDs of its ranks, as far as named
/// @param behind ranks that launched fewer calls than most, in answers that stayed equal
/// @param missing ranks that did not answer, in the last two answers
/// @param ahead ranks that launched more than most, or than the other one of two: they are not
///   stragglers
/// @param standsSinceNanos epoch nanoseconds of the first of the last equal answers, 0 if the
///   counts move
/// @param alikeSinceNanos epoch nanoseconds since when the counts of all ranks are equal and do not
///   move, 0 if they move or are unknown
/// @param lastNanos epoch nanoseconds of the last answer, 0 if unknown
/// @param longestNanos longest standstill, in nanoseconds, after which the counts moved again
/// @param statements reasons, each a sentence without its full stop
public record RasVerdict(
    String commId,
    int nranks,
    Map<Integer, Integer> pids,
    Set<Integer> behind,
    Set<Integer> missing,
    Set<Integer> ahead,
    long standsSinceNanos,
    long alikeSinceNanos,
    long lastNanos,
    long longestNanos,
    List<String> statements) {

  public RasVerdict {
    pids = Map.copyOf(pids);
    behind = Set.copyOf(behind);
    missing = Set.copyOf(missing);
    ahead = Set.copyOf(ahead);
    statements = List.copyOf(statements);
  }

  /// Whether the counts of its ranks differ and no longer move, or a rank is gone.
  public boolean hangs() {
    return standsSinceNanos > 0 && !(behind.isEmpty() && missing.isEmpty() && ahead.isEmpty());
  }
}
