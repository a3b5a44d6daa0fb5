package io.ringside.streams.witness.dump;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What the dumps of a run prove.
///
/// @param culprits who holds up the others, by rank; empty where the dumps do not prove it
/// @param involved ranks that contradict each other without a majority that says which is wrong
/// @param dispute what the ranks call that contradict each other, a sentence without its end; empty
///   if none do
/// @param waiting ranks that wait in a call
/// @param missing ranks of the run's groups without a dump
/// @param statements what else is to be said, a sentence without its end each
/// @param call the call that most wait in, for people; empty if nobody waits
/// @param sinceNanos when the first of those that wait made the call that it waits in, 0 if unknown
public record DumpVerdict(
    List<Accused> culprits,
    Set<Integer> involved,
    String dispute,
    Set<Integer> waiting,
    Set<Integer> missing,
    List<String> statements,
    String call,
    long sinceNanos) {

  public DumpVerdict {
    culprits = List.copyOf(culprits);
    involved = Set.copyOf(involved);
    waiting = Set.copyOf(waiting);
    missing = Set.copyOf(missing);
    statements = List.copyOf(statements);
  }

  /// Whether somebody waits.
  public boolean hangs() {
    return !waiting.isEmpty();
  }

  /// Whether ranks contradict each other and nothing says which of them are wrong.
  public boolean undecided() {
    return culprits.isEmpty() && !involved.isEmpty();
  }

  /// The culprits' ranks, in order.
  public Set<Integer> ranks() {
    return culprits.stream().map(Accused::rank).collect(Collectors.toCollection(TreeSet::new));
  }
}
