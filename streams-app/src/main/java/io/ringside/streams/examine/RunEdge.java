package io.ringside.streams.examine;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.EdgeGroup;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.Transport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An edge with the places of its two ends.
///
/// @param printer the process that printed the line
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
    /// Two pods; the node of one of them is unknown.
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

  /// The communicator's ID, empty if no line names it.
  public String comm() {
    return group.comm();
  }

  public Transport transport() {
    return group.transport();
  }

  /// Number of equal lines, over channels and directions.
  public int lines() {
    return group.lines();
  }

  /// One of the lines.
  public Evidence proof() {
    return group.proof();
  }

  static List<RunEdge> all(Run run) {
    var nodes = SharedNodes.of(run);
    boolean named = !run.communicators().isEmpty();
    var owners = named ? Map.<Integer, TrainingProcess>of() : owners(run);
    var edges = new ArrayList<RunEdge>();
    for (var process : run.byRank()) {
      for (var group : process.edges()) {
        if (!group.comm().isEmpty()) {
          edges.add(of(group, process, run.communicator(group.comm()), run, nodes));
        } else if (named) {
          var owner = run.world().flatMap(world -> owner(group, process, world, run));
          edges.add(of(group, owner.orElse(process), owner.flatMap(_ -> run.world()), run, nodes));
        } else {
          var from = Optional.ofNullable(owners.get(group.from()));
          var to = Optional.ofNullable(owners.get(group.to()));
          var reach = reach(group, process, from, to, Optional.empty(), nodes);
          edges.add(new RunEdge(group, process, from, to, reach));
        }
      }
    }
    return edges;
  }

  /// The process of each rank in a log that names no communicator, according to the edges that each
  /// process prints. A rank that two processes print is left out.
  private static Map<Integer, TrainingProcess> owners(Run run) {
    var owners = new HashMap<Integer, TrainingProcess>();
    var several = new HashSet<Integer>();
    for (var process : run.processes()) {
      for (int rank : process.ranksOfEdges()) {
        var before = owners.put(rank, process);
        if (before != null && before != process) {
          several.add(rank);
        }
      }
    }
    owners.keySet().removeAll(several);
    return owners;
  }

  private static RunEdge of(
      EdgeGroup group,
      TrainingProcess printer,
      Optional<Communicator> comm,
      Run run,
      SharedNodes nodes) {
    var from = comm.flatMap(c -> run.process(c, group.from()));
    var to = comm.flatMap(c -> run.process(c, group.to()));
    return new RunEdge(group, printer, from, to, reach(group, printer, from, to, comm, nodes));
  }

  /// The process that owns an edge of the world communicator, if the edge's line comes before the
  /// communicator's name: one end is a rank of the process that printed it, and the GPUs are those
  /// of the world's ranks. Otherwise the edge belongs to a group.
  private static Optional<TrainingProcess> owner(
      EdgeGroup group, TrainingProcess printer, Communicator world, Run run) {
    var from = run.process(world, group.from());
    var to = run.process(world, group.to());
    if (world.unnamed() && !group.mayJoin(busId(from), busId(to))) {
      return Optional.empty();
    }
    return Stream.of(from, to)
        .flatMap(Optional::stream)
        .filter(
            end ->
                end.pid() == printer.pid()
                    && end.host().equals(printer.host())
                    && end.source().equals(printer.source()))
        .findFirst();
  }

  private static @Nullable String busId(Optional<TrainingProcess> end) {
    return end.map(TrainingProcess::busId).orElse(null);
  }

  private static Reach reach(
      EdgeGroup group,
      TrainingProcess printer,
      Optional<TrainingProcess> from,
      Optional<TrainingProcess> to,
      Optional<Communicator> comm,
      SharedNodes nodes) {
    if (group.transport() instanceof Transport.CollNet) { // both ends are one rank
      return printer.source().nodeKnown() ? Reach.INTER_NODE : Reach.INTER_POD;
    }
    if (from.isPresent() && to.isPresent()) {
      if (SharedNodes.samePod(from.get(), to.get())) {
        return Reach.INTRA_POD;
      }
      if (nodes.sameNode(from.get(), to.get())) {
        return Reach.INTRA_NODE;
      }
      // without known machines, two hosts may be pods of one machine
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
