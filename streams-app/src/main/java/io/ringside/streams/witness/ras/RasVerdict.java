package io.ringside.streams.witness.ras;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// What RAS's answers say of one communicator.
///
/// @param commId whose ranks these are
/// @param nranks how many ranks it has, at least: text counts those alone that it complains of
/// @param pids processes of its ranks as far as they were named
/// @param behind ranks that launched fewer calls than most, in answers that stayed equal
/// @param missing ranks that do not answer, in the last two answers
/// @param ahead ranks that launched more than most, or than the other one of two: no stragglers
/// @param standsSinceNanos when the first of the last equal answers was given, 0 if the counts move
/// @param alikeSinceNanos since when the counts of all ranks are alike and do not move, 0 if they
///   do or are not told
/// @param lastNanos when the last one was given, 0 if unknown
/// @param longestNanos the longest standstill from which the counts came back
/// @param statements what it is said by, a sentence without its end each
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

  /// Whether the counts of its ranks differ and do not move any more, or a rank is gone.
  public boolean hangs() {
    return standsSinceNanos > 0 && !(behind.isEmpty() && missing.isEmpty() && ahead.isEmpty());
  }
}
