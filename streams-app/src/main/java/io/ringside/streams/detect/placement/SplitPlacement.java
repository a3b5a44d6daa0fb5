package io.ringside.streams.detect.placement;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Claim;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.examine.RunEdge.Reach;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import io.ringside.streams.parse.event.Transport;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;

/// Ranks on one machine that talk over the network because they are in different pods.
///
/// NCCL tells hosts by a hash of host name and boot id (src/misc/utils.cc, `getHostHash`), so pods of one
/// machine are different hosts to it and neither P2P nor shared memory is tried between them.
public final class SplitPlacement implements Detector {
  @Override
  public List<Claim> examine(Examination examination) {
    var edges =
        examination.edges().stream()
            .filter(edge -> edge.reach() == Reach.INTRA_NODE)
            .filter(edge -> edge.group().transport() instanceof Transport.Net)
            .toList();
    return edges.isEmpty() ? onePodAGpu(examination) : List.of(split(edges, examination));
  }

  private static Claim split(List<RunEdge> edges, Examination examination) {
    var processes = new LinkedHashSet<TrainingProcess>();
    var pods = new TreeSet<String>();
    for (var edge : edges) {
      edge.from().ifPresent(processes::add);
      edge.to().ifPresent(processes::add);
    }
    processes.forEach(process -> pods.add(process.source().pod()));
    var first = edges.getFirst();
    var node = first.printer().source().node();
    var link = first.from().flatMap(from -> first.to().flatMap(to -> examination.link(from, to)));
    var draft =
        Claim.about(FindingKind.SPLIT_PLACEMENT, Severity.WARNING, examination.run(), processes)
            .summary(
                "%d pods on node %s talk over %s: in one pod their %d GPUs would talk directly"
                    .formatted(
                        pods.size(),
                        node,
                        Transports.label(first.group().transport()),
                        processes.size()))
            .expected("one pod a node" + link.map(l -> ", P2P over " + l).orElse(""))
            .observed(
                Transports.label(first.group().transport()) + " between " + String.join(", ", pods))
            .cause("to NCCL each pod's host name is a host of its own");
    edges.stream().limit(4).forEach(edge -> draft.proof(edge.group().proof()));
    processes.stream()
        .flatMap(process -> process.memberships().values().stream())
        .map(membership -> membership.proof("nodes"))
        .limit(3)
        .forEach(draft::proof);
    return draft.claim();
  }

  /// With the lines of one pod only, the machine's size tells that its GPUs could share a pod.
  private static List<Claim> onePodAGpu(Examination examination) {
    for (var process : examination.run().byRank()) {
      var instance = examination.instanceType(process).orElse(null);
      var world =
          examination.run().world().map(w -> process.memberships().get(w.id())).orElse(null);
      if (instance == null || world == null || instance.gpus() < 2) {
        continue;
      }
      var nodes = world.proof("nodes");
      if (nodes != null && world.localRanks() == 1 && world.nranks() > 1 && world.nodes() > 1) {
        return List.of(
            Claim.about(
                    FindingKind.SPLIT_PLACEMENT, Severity.INFO, examination.run(), List.of(process))
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
                .proof(process.proof("platform"))
                .claim());
      }
    }
    return List.of();
  }
}
