package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.fact.Arrivals;
import io.ringside.streams.waits.Clock;
import java.util.List;

/// Calls that wait to be put into rounds.
///
/// @param clock clock of their times
/// @param lines evidence for their proofs, in the same order
record UnseenCalls(Arrivals calls, Clock clock, List<Evidence> lines) {
  int size() {
    return calls.nanos().length;
  }

  /// The number after that of the last call.
  long next() {
    return calls.firstOrdinal() + size();
  }

  /// Unix epoch nanoseconds of the last call, NO_TIME if unknown.
  long lastNanos() {
    return size() == 0 ? NO_TIME : calls.nanos()[size() - 1];
  }

  UnseenCalls withoutLines() {
    return new UnseenCalls(calls.withoutProofs(), clock, List.of());
  }

  /// Adds the calls to the communicator's rounds.
  ///
  /// @param base number of the communicator's first round
  void enter(Communicator communicator, long base, int rank) {
    var entering = calls.from(base, communicator.id(), rank);
    int skipped = calls.proofs().size() - entering.proofs().size();
    communicator
        .called()
        .add(entering, clock, proof -> lines.get(skipped + entering.proofs().indexOf(proof)));
  }
}
