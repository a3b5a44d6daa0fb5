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

/// Sends and Recvs of which one side is missing. They have no number common to both sides. NCCL
/// matches the calls of each pair and direction in order, so counting both sides is enough. A rank
/// that never posted any is not judged, because its log may not have been read.
///
/// @param waiting global ranks that posted a call that their peer did not post
/// @param missing global ranks of those peers
/// @param matched number of calls that found their other side
/// @param lastNanos epoch nanoseconds of the last post, NO_TIME if unknown
/// @param longestPauseNanos the longest pause after which any rank continued
/// @param wentOn missing ranks that posted another call after their peer had begun to wait, have no
///   times, or finished: a line may be missing there instead of a call
/// @param proofs the last lines of the waiting ranks
public record UnmatchedTransfers(
    Set<Integer> waiting,
    Set<Integer> missing,
    long matched,
    long lastNanos,
    long longestPauseNanos,
    Set<Integer> wentOn,
    List<Evidence> proofs) {
  public UnmatchedTransfers {
    waiting = Set.copyOf(waiting);
    missing = Set.copyOf(missing);
    wentOn = Set.copyOf(wentOn);
    proofs = List.copyOf(proofs);
  }

  public static UnmatchedTransfers of(Run run) {
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
    return new UnmatchedTransfers(waiting, missing, matched, last, longest, wentOn, proofs);
  }

  /// Whether ranks wait for others that have stopped since then and do not wait themselves.
  public boolean stand() {
    var culprits = culprits();
    return !culprits.isEmpty() && culprits.stream().noneMatch(wentOn::contains);
  }

  /// Global ranks that are missing and wait for no other rank.
  public Set<Integer> culprits() {
    var culprits = new TreeSet<>(missing);
    culprits.removeAll(waiting);
    return culprits;
  }

  /// Whether all posts of the rank came before this time.
  private static boolean before(Membership rank, long nanos) {
    return nanos != NO_TIME
        && rank.posted().values().stream()
            .allMatch(posted -> posted.atNanos() != NO_TIME && posted.atNanos() <= nanos);
  }

  /// The memberships of the ranks that have lines, by rank.
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
