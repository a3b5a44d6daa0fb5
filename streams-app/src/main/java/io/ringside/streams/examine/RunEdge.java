package io.ringside.streams.examine;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.EdgeGroup;
import io.ringside.streams.parse.event.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// An edge with the places of its two ends.
///
/// @param printer the process whose line it is
/// @param from the sending rank's process, if it has lines
/// @param to the receiving rank's process, if it has lines
public record RunEdge(
    EdgeGroup group,
    TrainingProcess printer,
    Optional<TrainingProcess> from,
    Optional<TrainingProcess> to,
    Reach reach) {

  /// How far apart the two ends are.
  public enum Reach {
    INTRA_POD("intra-pod"),
    /// Two pods of one node.
    INTRA_NODE("intra-node"),
    /// Two pods, of which the other's node is not known.
    INTER_POD("inter-pod"),
    INTER_NODE("inter-node");

    private final String label;

    Reach(String label) {
      this.label = label;
    }

    /// The word for reports.
    public String label() {
      return label;
    }
  }

  /// All edges of the run.
  static List<RunEdge> all(Run run) {
    var nodes = SharedNodes.of(run);
    var edges = new ArrayList<RunEdge>();
    for (var process : run.byRank()) {
      for (var group : process.edges()) {
        var comm =
            group.comm().isEmpty() ? worldOf(group, process, run) : run.communicator(group.comm());
        var from = comm.flatMap(c -> run.process(c, group.from()));
        var to = comm.flatMap(c -> run.process(c, group.to()));
        edges.add(
            new RunEdge(group, process, from, to, reach(group, process, from, to, comm, nodes)));
      }
    }
    return edges;
  }

  /// The world, if an edge whose line comes before the name of its communicator may be the world's: one of its ends is the
  /// process that prints it.
  private static Optional<Communicator> worldOf(EdgeGroup group, TrainingProcess printer, Run run) {
    return run.world()
        .filter(
            world ->
                Stream.of(group.from(), group.to())
                    .flatMap(rank -> run.process(world, rank).stream())
                    .anyMatch(
                        end ->
                            end.pid() == printer.pid()
                                && end.host().equals(printer.host())
                                && end.source().equals(printer.source())));
  }

  private static Reach reach(
      EdgeGroup group,
      TrainingProcess printer,
      Optional<TrainingProcess> from,
      Optional<TrainingProcess> to,
      Optional<Communicator> comm,
      SharedNodes nodes) {
    if (from.isPresent() && to.isPresent()) {
      if (SharedNodes.samePod(from.get(), to.get())) {
        return Reach.INTRA_POD;
      }
      if (nodes.sameNode(from.get(), to.get())) {
        return Reach.INTRA_NODE;
      }
      // hosts of logs that nobody named a machine for may be pods of one
      return from.get().source().nodeKnown() && to.get().source().nodeKnown()
          ? Reach.INTER_NODE
          : Reach.INTER_POD;
    }
    boolean net = group.transport() instanceof Transport.Net;
    var membership = comm.map(c -> printer.memberships().get(c.id())).orElse(null);
    boolean allLocal = membership != null && membership.localRanks() == membership.nranks();
    return net && !allLocal ? Reach.INTER_POD : Reach.INTRA_POD;
  }
}
