package io.ringside.streams.detect.shm;

import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.parse.event.Transport;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Finds a single pair of GPUs that uses shared memory in a ring whose other pairs all use P2P. A
/// ring within a host crosses from one side of the machine to the other an even number of times. So
/// by design at least two pairs use shared memory, or none.
final class LonePair {
  private static final int LEAST = 3;

  private LonePair() {}

  /// @param shm all edges over shared memory
  static boolean is(List<RunEdge> shm, Examination examination) {
    var comm = shm.getFirst().comm();
    var ring = examination.edges().stream().filter(it -> it.comm().equals(comm)).toList();
    boolean oneHost = ring.stream().allMatch(edge -> edge.reach() == RunEdge.Reach.INTRA_POD);
    var others =
        pairs(ring.stream().filter(it -> it.transport() instanceof Transport.P2p).toList());
    int nranks = examination.run().communicator(comm).map(it -> it.nranks()).orElse(-1);
    return !comm.isEmpty()
        && oneHost
        && pairs(shm).size() == 1
        && others.size() >= LEAST
        && others.size() + 1 >= nranks;
  }

  private static Set<Set<Integer>> pairs(List<RunEdge> edges) {
    var pairs = new HashSet<Set<Integer>>();
    edges.forEach(edge -> pairs.add(Set.copyOf(List.of(edge.group().from(), edge.group().to()))));
    return pairs;
  }
}
