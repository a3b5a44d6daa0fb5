package io.ringside.streams.witness.dump;

import io.ringside.streams.parse.flightrecorder.Call;
import io.ringside.streams.parse.flightrecorder.Group;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Matches Sends with Recvs. They have no number common to both sides, so they are counted. If
/// buffers no longer hold all of them, only what times prove is reported.
record SendRecvPairs(RunDumps dumps) {
  /// Largest distance between the numbers of two sides; a number further off counts something else.
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

  /// The calls of one side: Sends or Recvs of the same direction between the same two ranks.
  private List<Call> side(int rank, Call call, String operation) {
    return dumps.calls(rank, call.group()).stream()
        .filter(
            other ->
                other.from() == call.from()
                    && other.to() == call.to()
                    && other.operation().equals(operation))
        .toList();
  }

  /// Number of the last Send or Recv of a rank in a group of two, where all of them are between
  /// these two ranks.
  private Optional<Long> posted(int rank, Call call) {
    var seen =
        dumps.calls(rank, call.group()).stream()
            .map(Call::pair)
            .max(Comparator.naturalOrder())
            .filter(last -> last > 0);
    // without any entry, the status has the number, since the group uses Sends and Recvs
    return seen.isPresent()
        ? seen
        : dumps.status(rank, call.group()).map(Group::enqueued).filter(last -> last >= 0);
  }

  /// Whether times prove it: the peer waits in no such call, and posted its last one before our
  /// last one completed.
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
