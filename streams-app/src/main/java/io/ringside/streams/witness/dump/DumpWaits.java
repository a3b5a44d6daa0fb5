package io.ringside.streams.witness.dump;

import io.ringside.streams.parse.flightrecorder.Call;
import io.ringside.streams.parse.flightrecorder.CallState;
import io.ringside.streams.parse.flightrecorder.Group;
import java.util.Set;

/// Finds which ranks wait for which in the dumps, by the first call in which each rank waits: calls
/// enqueued after it could not run anyway.
final class DumpWaits {
  private final RunDumps dumps;
  private final Set<Integer> absent;
  private final WaitGraph graph = new WaitGraph();
  private final SendRecvPairs pairs;

  /// @param absent ranks without a dump file; ranks with an unreadable one are not among them
  private DumpWaits(RunDumps dumps, Set<Integer> absent) {
    this.dumps = dumps;
    this.absent = absent;
    this.pairs = new SendRecvPairs(dumps);
  }

  static WaitGraph of(RunDumps dumps, Set<Integer> waiting, Set<Integer> absent) {
    var waits = new DumpWaits(dumps, absent);
    for (int rank : waiting) {
      waits.waits(rank);
    }
    return waits.graph;
  }

  private void waits(int rank) {
    var pending = dumps.pending(rank);
    if (pending.isEmpty()) {
      dumps.pendingUnseen(rank).forEach(group -> unseen(rank, group));
      return;
    }
    var first = pending.getFirst();
    if (!first.p2p()) {
      // a neighbour of a dead rank may still wait for data that the others got from it
      boolean stuck = StuckCall.find(dumps, rank, first.group()).isPresent();
      dumps.members(first.group()).stream()
          .filter(member -> member != rank && (!stuck || absent.contains(member)))
          .forEach(member -> collective(rank, member, first));
      return;
    }
    // Sends and Recvs that were posted together wait in parallel
    pending.stream().takeWhile(Call::p2p).forEach(call -> pair(rank, call, call.equals(first)));
  }

  private void collective(int rank, int member, Call call) {
    var group = call.group();
    long number = call.collective();
    if (absent.contains(member)) {
      graph.add(new Wait(rank, member, AccusationReason.NO_DUMP, group, number, call.words(), 0));
      return;
    }
    long called = dumps.called(member, group);
    if (called >= 0 && called < number) {
      long lag = dumps.called(rank, group) - called;
      graph.add(
          new Wait(rank, member, AccusationReason.NEVER_CALLED, group, number, call.words(), lag));
    } else if (stuck(member, group, number)) {
      graph.add(new Wait(rank, member, AccusationReason.STUCK, group, number, call.words(), 0));
    } else if (called >= 0 && behind(member, group, number)) {
      graph.add(new Wait(rank, member, AccusationReason.BEHIND, group, number, call.words(), 0));
    } else if (call.state() == CallState.STARTED && notBegun(member, group, number)) {
      graph.add(new Wait(rank, member, AccusationReason.NOT_BEGUN, group, number, call.words(), 0));
    }
  }

  private void unseen(int rank, Group group) {
    long number = group.completed() + 1;
    for (int member : dumps.members(group.key())) {
      long called = dumps.called(member, group.key());
      if (absent.contains(member)) {
        graph.add(
            new Wait(rank, member, AccusationReason.NO_DUMP, group.key(), number, "a call", 0));
      } else if (member != rank && called >= 0 && called < number) {
        long lag = group.enqueued() - called;
        graph.add(
            new Wait(
                rank, member, AccusationReason.NEVER_CALLED, group.key(), number, "a call", lag));
      }
    }
  }

  /// Whether the member waits in another call before it comes to this one.
  private boolean behind(int member, String group, long number) {
    var pending = dumps.pending(member);
    return !pending.isEmpty()
        && !(pending.getFirst().group().equals(group)
            && !pending.getFirst().p2p()
            && pending.getFirst().collective() <= number)
        && dumps.at(member, group, number).stream().anyMatch(Call::pending);
  }

  /// Whether the member waits in a call up to this one that others of the group have completed.
  private boolean stuck(int member, String group, long number) {
    return dumps.completed(member, group) < number
        && StuckCall.find(dumps, member, group).isPresent();
  }

  /// Whether the member's GPU has not begun the call, as far as the group's status tracks that.
  private boolean notBegun(int member, String group, long number) {
    var own = dumps.at(member, group, number);
    return dumps.status(member, group).map(Group::started).orElse(-1L) >= 0
        && !own.isEmpty()
        && own.stream().allMatch(call -> call.state() == CallState.SCHEDULED);
  }

  private void pair(int rank, Call call, boolean first) {
    int peer =
        dumps.global(call.group(), call.operation().equals("send") ? call.to() : call.from());
    if (call.from() < 0 || peer < 0 || peer == rank) {
      return;
    }
    var words =
        "%s rank %d".formatted(call.operation().equals("send") ? "Send to" : "Recv from", peer);
    if (absent.contains(peer)) {
      graph.add(
          new Wait(rank, peer, AccusationReason.NO_DUMP, call.group(), call.pair(), words, 0));
    } else if (pairs.neverPosted(rank, call, peer)) {
      graph.add(
          new Wait(rank, peer, AccusationReason.NEVER_POSTED, call.group(), call.pair(), words, 1));
    } else if (first && !dumps.pending(peer).isEmpty() && !dumps.pending(peer).getFirst().p2p()) {
      graph.add(new Wait(rank, peer, AccusationReason.BEHIND, call.group(), call.pair(), words, 0));
    }
  }
}
