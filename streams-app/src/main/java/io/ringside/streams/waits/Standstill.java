package io.ringside.streams.waits;

import io.ringside.schemas.event.Evidence;
import java.util.List;
import java.util.Set;

/// Where a communicator's ranks are when some have made calls that others have not. That happens
/// for moments in every round, and for good in a hang.
///
/// @param ordinal the first call that is missing
/// @param waiting ranks that made it
/// @param missing ranks that did not
/// @param together whether the waiting ranks have made the same calls; a rank that is cut off in
///   the middle of its calls has not
/// @param proofs lines of some of the waiting ranks
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
