package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.Transport;
import org.jspecify.annotations.Nullable;

/// Lines of a communicator about its edges between two ranks, all of one transport.
///
/// @param comm empty if the lines come before their communicator is known, as before 2.16.2
/// @param fromBracket number in brackets after the sending rank if `comm` is empty, see
///   {@link NcclEvent.Edge}; else -1
/// @param toBracket the same for the receiving rank
/// @param lines number of lines, one for each channel and direction
public record EdgeGroup(
    String comm,
    int from,
    int to,
    long fromBracket,
    long toBracket,
    Transport transport,
    int lines,
    Evidence proof) {

  /// Whether the ranks may be these GPUs, by the bus ids that NCCL prints up to 2.18.1.
  public boolean mayJoin(@Nullable String fromBusId, @Nullable String toBusId) {
    return mayBe(fromBracket, fromBusId) && mayBe(toBracket, toBusId);
  }

  private static boolean mayBe(long bracket, @Nullable String busId) {
    return bracket < 0 || busId == null || NcclEvent.busId(bracket).equals(busId);
  }

  /// The group with this many more lines.
  EdgeGroup and(int more) {
    return new EdgeGroup(comm, from, to, fromBracket, toBracket, transport, lines + more, proof);
  }
}
