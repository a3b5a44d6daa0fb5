package io.ringside.streams.detect.placement;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.examine.RunEdge.Reach;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import io.ringside.streams.parse.event.Transport;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;

/// Finds ranks on one machine that communicate over the network because they are in different pods.
///
/// NCCL distinguishes hosts by a hash of host name and boot id (src/misc/utils.cc, `getHostHash`).
/// Pods of one machine are different hosts to NCCL, so it tries neither P2P nor shared memory
/// between them.
public final class SplitPlacement implements Detector {
  /// Most GPUs of a machine that has NVLink between all GPUs and is rented by the pod.
  private static final int MOST_GPUS = 16;

  @Override
  public List<Finding> examine(Examination examination) {
    var edges =
        examination.edges().stream()
            .filter(edge -> edge.reach() == Reach.INTRA_NODE)
            .filter(edge -> edge.transport() instanceof Transport.Net)
            .toList();
    if (!edges.isEmpty()) {
      return List.of(split(edges, examination));
    }
    var maybe = maybeShared(examination);
    return maybe.isEmpty() ? onePodAGpu(examination) : maybe;
  }

  private static Finding split(List<RunEdge> edges, Examination examination) {
    var processes = new LinkedHashSet<TrainingProcess>();
    var pods = new TreeSet<String>();
    for (var edge : edges) {
      edge.from().ifPresent(processes::add);
      edge.to().ifPresent(processes::add);
    }
    processes.forEach(process -> pods.add(process.source().pod()));
    var first = edges.getFirst();
    var node = first.printer().node();
    var link = first.from().flatMap(from -> first.to().flatMap(to -> examination.link(from, to)));
    var draft =
        FindingDraft.about(FindingKind.SPLIT_PLACEMENT, Severity.WARNING, examination, processes)
            .summary(
                "%d pods %s talk over %s: in one pod their %d GPUs would talk directly"
                    .formatted(
                        pods.size(),
                        node.equals(LogSource.UNNAMED_NODE) ? "of one machine" : "on node " + node,
                        Transports.label(first.transport()),
                        processes.size()))
            .expected("one pod a node" + link.map(l -> ", P2P over " + l).orElse(""))
            .observed(Transports.label(first.transport()) + " between " + String.join(", ", pods))
            .cause("NCCL tells hosts apart by name, and each pod has a name of its own");
    edges.stream().limit(4).forEach(edge -> draft.proof(edge.proof()));
    processes.stream()
        .flatMap(process -> process.memberships().values().stream())
        .map(membership -> membership.proof(Membership.Statement.NODES))
        .limit(3)
        .forEach(draft::proof);
    return draft.finding();
  }

  /// For runs without machine names in which no two hosts hold a GPU with the same bus id: the
  /// hosts may be pods of one machine. Hosts of a cluster are built alike, so different machines
  /// whose GPUs are assigned from the first one on would share bus ids.
  private static List<Finding> maybeShared(Examination examination) {
    var run = examination.run();
    var hostOfGpu = new HashMap<String, String>();
    for (var process : run.processes()) {
      var busId = process.busId();
      if (busId == null || process.source().nodeKnown()) {
        return List.of();
      }
      var other = hostOfGpu.putIfAbsent(busId, process.node());
      if (other != null && !other.equals(process.node())) {
        return List.of();
      }
    }
    var edges =
        examination.edges().stream()
            .filter(edge -> edge.reach() == Reach.INTER_POD)
            .filter(edge -> edge.transport() instanceof Transport.Net)
            .filter(edge -> edge.from().isPresent() && edge.to().isPresent())
            .toList();
    var hosts = new TreeSet<>(hostOfGpu.values());
    if (edges.isEmpty() || hosts.size() < 2 || hostOfGpu.size() > MOST_GPUS) {
      return List.of();
    }
    var draft =
        FindingDraft.about(FindingKind.SPLIT_PLACEMENT, Severity.INFO, examination, run.byRank())
            .summary(
                "%d pods may share a machine: no two of their %d GPUs have the same bus id, and they talk over %s"
                    .formatted(
                        hosts.size(),
                        hostOfGpu.size(),
                        Transports.label(edges.getFirst().transport())))
            .expected("as many of the job's GPUs in one pod as a machine has")
            .observed("%d hosts with GPUs of different bus ids".formatted(hosts.size()))
            .cause("the logs do not say on which machines the pods ran: name them with NODE=PATH");
    edges.stream().limit(4).forEach(edge -> draft.proof(edge.proof()));
    return List.of(draft.finding());
  }

  /// If only the lines of one pod are present, the size of its machine shows that the GPUs could
  /// share a pod.
  private static List<Finding> onePodAGpu(Examination examination) {
    for (var process : examination.run().byRank()) {
      var instance = examination.instanceType(process).orElse(null);
      var world =
          examination.run().world().map(w -> process.memberships().get(w.id())).orElse(null);
      if (instance == null || world == null || instance.gpus() < 2) {
        continue;
      }
      var nodes = world.proof(Membership.Statement.NODES);
      if (nodes != null && world.localRanks() == 1 && world.nranks() > 1 && world.nodes() > 1) {
        return List.of(
            FindingDraft.about(
                    FindingKind.SPLIT_PLACEMENT, Severity.INFO, examination, List.of(process))
                .summary(
                    "%d pods of one GPU each, though %s has %d GPUs%s"
                        .formatted(
                            world.nodes(),
                            examination.machine(process),
                            instance.gpus(),
                            instance.nvlink() ? " linked by NVLink" : ""))
                .expected("as many of the job's GPUs in one pod as a machine has")
                .observed("localRanks 1 of " + world.nranks())
                .cause(
                    "only some pods' lines are here: whether they share a machine cannot be told")
                .proof(nodes)
                .proof(process.proof(TrainingProcess.Statement.PLATFORM))
                .finding());
      }
    }
    return List.of();
  }
}
