package io.ringside.streams.waits;

import io.ringside.schemas.event.Evidence;
import java.util.List;
import java.util.Set;

/// Where a communicator's ranks stand when some have called what others have not: so they are for
/// moments in every round, and for good in a hang.
///
/// @param ordinal the first call that is missing
/// @param waiting ranks that made it
/// @param missing ranks that did not
/// @param together whether those that wait have made the same calls: who is cut off in the midst of
///   its calls has not
/// @param proofs lines of some of those that wait
public record Standstill(
    long ordinal,
    Set<Integer> waiting,
    Set<Integer> missing,
    boolean together,
    List<Evidence> proofs) {
  public Standstill {
    waiting = Set.copyOf(waiting);
    missing = Set.copyOf(missing);
    proofs = List.copyOf(proofs);
  }
}
