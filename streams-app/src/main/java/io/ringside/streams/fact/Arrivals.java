package io.ringside.streams.fact;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Consecutive collective calls of one process on one communicator: element i is the process's call
/// number `firstOrdinal + i` there, written at `nanos[i]` (epoch nanoseconds). Send and Recv do not
/// count, since only pairs of ranks call them.
///
/// @param writer index among the chunk's writers
/// @param signatures hash of operation, count and datatype: equal on all ranks in one round
/// @param proofs raw lines of some calls, those after a pause
/// @param failuresBefore number of the chunk's failures that were reported before the last of these
///   calls
/// @param leftOut number of calls right after these that were left out, see {@link KeptBlocks}
/// @param numbered what the ordinals count if the communicator's init lines were not seen; null:
///     they count the process's lines since it came up
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
    int leftOut,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Numbered numbered) {

  public Arrivals {
    proofs = List.copyOf(proofs);
  }

  /// Copies the calls without their raw lines.
  public Arrivals withoutProofs() {
    return new Arrivals(
        writer,
        comm,
        rank,
        basis,
        firstOrdinal,
        nanos,
        signatures,
        List.of(),
        failuresBefore,
        leftOut,
        numbered);
  }

  /// Reports that the process's calls on the communicator can no longer be numbered.
  public static Arrivals unknown(int writer, String comm, TimeBasis basis, int failuresBefore) {
    return new Arrivals(
        writer,
        comm,
        -1,
        basis,
        0,
        new long[0],
        new int[0],
        List.of(),
        failuresBefore,
        0,
        Numbered.NOT_KNOWN);
  }

  /// How calls get their ordinals on a communicator whose init lines were not seen.
  public enum Numbered {
    /// By NCCL's `opCount`, which has risen by one from call to call as far as is known.
    BY_COUNT,
    /// The same, and a small call alone was seen to raise it.
    BY_COUNT_OF_ALL,
    /// Not numbered: `opCount` does not count these calls, so none are reported from here on.
    NOT_KNOWN
  }

  /// Renumbers the calls so that the first common one is 0, for a rank and a communicator that
  /// became known after the lines. Earlier calls are left out.
  public Arrivals from(long base, String itsComm, int itsRank) {
    int before = Math.clamp(base - firstOrdinal, 0, nanos.length);
    return new Arrivals(
        writer,
        itsComm,
        itsRank,
        basis,
        firstOrdinal + before - base,
        Arrays.copyOfRange(nanos, before, nanos.length),
        Arrays.copyOfRange(signatures, before, signatures.length),
        proofs.stream()
            .filter(proof -> proof.ordinal() >= base)
            .map(proof -> new Proof(proof.ordinal() - base, proof.offset(), proof.text()))
            .toList(),
        failuresBefore,
        leftOut,
        numbered);
  }

  /// The raw line of the call at this ordinal.
  public record Proof(long ordinal, long offset, String text) {}
}
