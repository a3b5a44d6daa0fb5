package io.ringside.streams.examine;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Sends and Recvs of which one side is missing. They have no number that both sides share; NCCL
/// matches those of a pair and a direction in their order, so it is enough to count both sides. A
/// side that never posted any is not judged: its log may not be read.
///
/// @param waiting global ranks that posted what their peer did not
/// @param missing those peers
/// @param matched how many found their other side
/// @param lastNanos when the last was posted, NO_TIME if unknown
/// @param longestPauseNanos the longest time that any rank came back from
/// @param wentOn of those that are missing, who posted another after its peer had begun to wait,
///   does not say when, or came to the end with it: there a line may be missing, not a call
/// @param proofs the last lines of those that wait
public record Exchanges(
    Set<Integer> waiting,
    Set<Integer> missing,
    long matched,
    long lastNanos,
    long longestPauseNanos,
    Set<Integer> wentOn,
    List<Evidence> proofs) {
  public Exchanges {
    waiting = Set.copyOf(waiting);
    missing = Set.copyOf(missing);
    wentOn = Set.copyOf(wentOn);
    proofs = List.copyOf(proofs);
  }

  public static Exchanges of(Run run) {
    var waiting = new TreeSet<Integer>();
    var missing = new TreeSet<Integer>();
    var proofs = new ArrayList<Evidence>();
    long matched = 0;
    long last = NO_TIME;
    long longest = 0;
    var wentOn = new TreeSet<Integer>();
    for (var comm : run.communicators()) {
      var parts = parts(comm, run);
      for (var part : parts.entrySet()) {
        int rank = part.getKey();
        longest = Math.max(longest, part.getValue().longestPauseNanos());
        for (var own : part.getValue().posted().entrySet()) {
          int peer = own.getKey();
          var other = parts.get(peer);
          var theirs = other == null ? null : other.posted().get(rank);
          if (peer == rank || other == null || theirs == null) {
            continue;
          }
          long sent = own.getValue().sends();
          long received = theirs.receives();
          matched += Math.min(sent, received);
          last = Math.max(last, own.getValue().atNanos());
          if (sent != received) {
            int late = sent > received ? peer : rank;
            var waits = sent > received ? own.getValue() : theirs;
            boolean over = part.getValue().ended() || other.ended();
            var lateOne = late == peer ? other : part.getValue();
            if (over || !before(lateOne, waits.atNanos())) {
              wentOn.addAll(run.ranks(comm, Set.of(late)));
            }
            waiting.addAll(run.ranks(comm, Set.of(sent > received ? rank : peer)));
            missing.addAll(run.ranks(comm, Set.of(late)));
            proofs.add(waits.line());
          }
        }
      }
    }
    return new Exchanges(waiting, missing, matched, last, longest, wentOn, proofs);
  }

  /// Whether some wait for ranks that stand since then and wait for nobody.
  public boolean stand() {
    var culprits = culprits();
    return !culprits.isEmpty() && culprits.stream().noneMatch(wentOn::contains);
  }

  /// Who is missing and waits for nobody.
  public Set<Integer> culprits() {
    var culprits = new TreeSet<>(missing);
    culprits.removeAll(waiting);
    return culprits;
  }

  /// Whether all that the rank posted was posted before.
  private static boolean before(Membership rank, long nanos) {
    return nanos != NO_TIME
        && rank.posted().values().stream()
            .allMatch(posted -> posted.atNanos() != NO_TIME && posted.atNanos() <= nanos);
  }

  /// The parts of those that have lines, by rank.
  private static Map<Integer, Membership> parts(Communicator comm, Run run) {
    var parts = new TreeMap<Integer, Membership>();
    if (!comm.unnamed()) {
      run.members(comm)
          .forEach(
              (rank, process) -> {
                var part = process.memberships().get(comm.id());
                if (part != null) {
                  parts.put(rank, part);
                }
              });
    }
    return parts;
  }
}
