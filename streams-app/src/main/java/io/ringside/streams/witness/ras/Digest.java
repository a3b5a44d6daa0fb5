package io.ringside.streams.witness.ras;

import io.ringside.streams.parse.ras.RasAnswer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Shortens an answer to what its verdict needs: ranks that launched as many calls as most are only
/// counted. So an answer about ten thousand ranks is as short as one about eight.
public final class Digest {
  /// Most ranks of one operation that are named, and most communicators.
  private static final int MOST = 256;

  private Digest() {}

  /// The shortened answer.
  public static RasAnswer of(RasAnswer answer) {
    return new RasAnswer(
        answer.atNanos(),
        answer.comms().stream().limit(MOST).map(Digest::of).toList(),
        answer.text(),
        answer.last(),
        answer.dead());
  }

  private static RasAnswer.Comm of(RasAnswer.Comm comm) {
    var byOp = new LinkedHashMap<String, List<RasAnswer.Count>>();
    comm.counts()
        .forEach(count -> byOp.computeIfAbsent(count.op(), _ -> new ArrayList<>()).add(count));
    var counts = new ArrayList<RasAnswer.Count>();
    byOp.forEach((op, of) -> counts.addAll(of(op, of)));
    var missing = comm.missing().stream().limit(MOST).toList();
    var pids = new LinkedHashMap<>(comm.pids());
    pids.keySet()
        .removeIf(
            rank ->
                !missing.contains(rank)
                    && counts.stream().noneMatch(count -> count.rank() == rank));
    return new RasAnswer.Comm(comm.commId(), comm.size(), counts, missing, pids);
  }

  private static List<RasAnswer.Count> of(String op, List<RasAnswer.Count> counts) {
    if (counts.size() <= 2) {
      return counts; // of two, neither is a majority
    }
    var ranks = new LinkedHashMap<Long, Integer>();
    counts.forEach(count -> ranks.merge(count.launched(), count.ranks(), Integer::sum));
    var most = new ArrayList<RasAnswer.Count>();
    ranks.forEach((launched, of) -> most.add(new RasAnswer.Count(op, -1, of, launched)));
    most.sort((one, other) -> Integer.compare(other.ranks(), one.ranks()));
    if (most.isEmpty()) {
      return most;
    }
    var common = most.getFirst();
    var digest = new ArrayList<RasAnswer.Count>();
    digest.add(common);
    counts.stream()
        .filter(count -> count.launched() != common.launched())
        .limit(MOST)
        .forEach(digest::add);
    return digest;
  }
}
