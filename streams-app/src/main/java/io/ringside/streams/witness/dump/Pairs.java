package io.ringside.streams.witness.dump;

import io.ringside.streams.parse.flightrecorder.Call;
import io.ringside.streams.parse.flightrecorder.Group;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Matches Sends with Recvs. They have no number that both sides share, so they are counted; where
/// buffers no longer hold all of them, only what times prove is said.
record Pairs(RunDumps dumps) {
  /// Two sides of a group are never further apart; a number further off counts something else.
  private static final int NEAR = 256;

  /// Whether it is proved that the peer has not posted its side of a call in which the rank waits.
  boolean neverPosted(int rank, Call call, int peer) {
    var own = side(rank, call, call.operation());
    var theirs = side(peer, call, call.operation().equals("send") ? "recv" : "send");
    if (whole(rank) && whole(peer)) {
      return theirs.size() <= own.indexOf(call);
    }
    if (dumps.members(call.group()).size() == 2 && call.pair() > 0) {
      return posted(peer, call)
          .map(last -> last < call.pair() && last >= call.pair() - NEAR)
          .orElse(false);
    }
    return byTime(own, theirs);
  }

  private boolean whole(int rank) {
    return dumps.of(rank).map(dump -> dump.whole()).orElse(false);
  }

  /// Sends and Recvs of the same direction between the same two, of one side.
  private List<Call> side(int rank, Call call, String operation) {
    return dumps.calls(rank, call.group()).stream()
        .filter(
            other ->
                other.from() == call.from()
                    && other.to() == call.to()
                    && other.operation().equals(operation))
        .toList();
  }

  /// Number of the last Send or Recv of a rank in a group of two, where all are between these two.
  private Optional<Long> posted(int rank, Call call) {
    var seen =
        dumps.calls(rank, call.group()).stream()
            .map(Call::pair)
            .max(Comparator.naturalOrder())
            .filter(last -> last > 0);
    // without any entry the status has the number, since the group has Sends and Recvs
    return seen.isPresent()
        ? seen
        : dumps.status(rank, call.group()).map(Group::enqueued).filter(last -> last >= 0);
  }

  /// The peer waits in none, and posted its last one before the last one of ours was done.
  private static boolean byTime(List<Call> own, List<Call> theirs) {
    var done = own.stream().filter(call -> !call.pending()).mapToLong(Call::completedNanos).max();
    var last = theirs.stream().mapToLong(Call::createdNanos).max();
    return theirs.stream().noneMatch(Call::pending)
        && done.isPresent()
        && done.getAsLong() > 0
        && last.isPresent()
        && last.getAsLong() > 0
        && last.getAsLong() <= done.getAsLong();
  }
}
