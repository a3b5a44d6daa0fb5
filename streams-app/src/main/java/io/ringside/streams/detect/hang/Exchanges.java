package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Membership.Posted;
import io.ringside.streams.job.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Sends and Recvs of which one side is missing. They have no number that both sides share; NCCL matches those of a pair and a
/// direction in their order, so it is enough to count both sides. A side that never posted any is not judged: its log may not be
/// read.
///
/// @param waiting global ranks that posted what their peer did not
/// @param missing those peers
/// @param matched how many found their other side
/// @param lastNanos when the last was posted, NO_TIME if unknown
/// @param longestPauseNanos the longest time that any rank came back from
/// @param proofs the last lines of those that wait
record Exchanges(
    Set<Integer> waiting,
    Set<Integer> missing,
    long matched,
    long lastNanos,
    long longestPauseNanos,
    List<Evidence> proofs) {

  static Exchanges of(Run run) {
    var waiting = new TreeSet<Integer>();
    var missing = new TreeSet<Integer>();
    var proofs = new ArrayList<Evidence>();
    long matched = 0;
    long last = NO_TIME;
    long longest = 0;
    for (var comm : run.communicators()) {
      for (int rank : comm.unnamed() ? Set.<Integer>of() : comm.processByRank().keySet()) {
        longest = Math.max(longest, longestPause(comm, rank, run));
        for (var own : posted(comm, rank, run).entrySet()) {
          int peer = own.getKey();
          var theirs = posted(comm, peer, run).get(rank);
          if (peer == rank || theirs == null) {
            continue;
          }
          long sent = own.getValue().sends();
          long received = theirs.receives();
          matched += Math.min(sent, received);
          last = Math.max(last, own.getValue().atNanos());
          if (sent != received) {
            waiting.add(global(comm, sent > received ? rank : peer, run));
            missing.add(global(comm, sent > received ? peer : rank, run));
            proofs.add((sent > received ? own.getValue() : theirs).line());
          }
        }
      }
    }
    waiting.remove(-1);
    missing.remove(-1);
    return new Exchanges(waiting, missing, matched, last, longest, proofs);
  }

  private static Map<Integer, Posted> posted(Communicator comm, int rank, Run run) {
    return run.process(comm, rank)
        .map(process -> process.memberships().get(comm.id()))
        .map(membership -> membership.posted())
        .orElse(Map.of());
  }

  private static long longestPause(Communicator comm, int rank, Run run) {
    return run.process(comm, rank)
        .map(process -> process.memberships().get(comm.id()))
        .map(membership -> membership.longestPauseNanos())
        .orElse(0L);
  }

  private static int global(Communicator comm, int rank, Run run) {
    return run.process(comm, rank).map(run::rank).orElse(-1);
  }
}
