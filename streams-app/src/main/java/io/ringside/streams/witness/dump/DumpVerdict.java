package io.ringside.streams.witness.dump;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What the dumps of a run prove.
///
/// @param culprits ranks that hold up the others, by rank; empty if the dumps do not prove it
/// @param involved ranks that contradict each other, without a majority that shows which are wrong
/// @param dispute the calls of ranks that contradict each other, a sentence without its full stop;
///   empty if none do
/// @param waiting ranks that wait in a call
/// @param missing ranks of the run's groups without a dump
/// @param statements further statements, each a sentence without its full stop
/// @param call the call that most ranks wait in, as text; empty if no rank waits
/// @param sinceNanos epoch nanoseconds of the oldest call in which a rank waits, 0 if unknown
/// @param newestNanos epoch nanoseconds of the newest call of any rank, 0 if unknown
public record DumpVerdict(
    List<AccusedRank> culprits,
    Set<Integer> involved,
    String dispute,
    Set<Integer> waiting,
    Set<Integer> missing,
    List<String> statements,
    String call,
    long sinceNanos,
    long newestNanos) {

  public DumpVerdict {
    culprits = List.copyOf(culprits);
    involved = Set.copyOf(involved);
    waiting = Set.copyOf(waiting);
    missing = Set.copyOf(missing);
    statements = List.copyOf(statements);
  }

  /// Whether any rank waits.
  public boolean hangs() {
    return !waiting.isEmpty();
  }

  /// Whether ranks contradict each other and it is unknown which of them are wrong.
  public boolean undecided() {
    return culprits.isEmpty() && !involved.isEmpty();
  }

  /// The culprits' ranks, in order.
  public Set<Integer> ranks() {
    return culprits.stream().map(AccusedRank::rank).collect(Collectors.toCollection(TreeSet::new));
  }
}
