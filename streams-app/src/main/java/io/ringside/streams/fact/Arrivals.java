package io.ringside.streams.fact;

import java.util.List;

/// Consecutive collective calls of one process on one communicator: the i-th is the process's call
/// number `firstOrdinal + i` there, written at `nanos[i]`. Send and Recv do not count, since pairs of
/// ranks call them, not all.
///
/// @param writer index among the chunk's writers
/// @param signatures hash of operation, count and datatype: equal on all ranks in one round
/// @param proofs raw lines of some calls, those after a pause
/// @param failuresBefore how many of the chunk's failures were told before the last of these calls
/// @param leftOut calls that came right after these and are not told, see {@link KeptBlocks}
public record Arrivals(
    int writer,
    String comm,
    int rank,
    TimeBasis basis,
    long firstOrdinal,
    long[] nanos,
    int[] signatures,
    List<Proof> proofs,
    int failuresBefore,
    int leftOut) {

  public Arrivals {
    proofs = List.copyOf(proofs);
  }

  /// The raw line of the call at this ordinal.
  public record Proof(long ordinal, long offset, String text) {}
}
