package io.ringside.streams.detect.socket;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.fallback.EfaFallback;
import io.ringside.streams.examine.Claim;
import io.ringside.streams.examine.Disabled;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.Ranks;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.examine.RunEdge.Reach;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import java.util.LinkedHashSet;
import java.util.List;

/// Edges over TCP sockets where nothing says that EFA or InfiniBand was expected.
///
/// `Using network Socket` alone is no sign: every healthy job of one host prints it.
public final class SocketTransport implements Detector {
  private final EfaFallback fallback = new EfaFallback();

  @Override
  public List<Claim> examine(Examination examination) {
    var edges =
        examination.edges().stream()
            .filter(edge -> Transports.socket(edge.group().transport()))
            .toList();
    if (edges.isEmpty() || !fallback.examine(examination).isEmpty()) {
      return List.of();
    }
    boolean spansNodes =
        edges.stream()
            .anyMatch(edge -> edge.reach() == Reach.INTER_NODE || edge.reach() == Reach.INTER_POD);
    var processes = new LinkedHashSet<TrainingProcess>();
    edges.forEach(edge -> processes.add(edge.printer()));
    var draft =
        Claim.about(
                FindingKind.SOCKET_TRANSPORT,
                spansNodes ? Severity.WARNING : Severity.INFO,
                examination.run(),
                processes)
            .summary(
                "%s talk over TCP sockets %s"
                    .formatted(
                        Ranks.words(processes.stream().map(examination.run()::rank).toList()),
                        spansNodes ? "between nodes" : "although they are on one node"))
            .expected(spansNodes ? "an RDMA network, if the nodes have one" : "P2P or SHM")
            .observed("NET/Socket")
            .cause(cause(edges, processes));
    edges.stream().limit(4).forEach(edge -> draft.proof(edge.group().proof()));
    return List.of(draft.claim());
  }

  private static String cause(List<RunEdge> edges, LinkedHashSet<TrainingProcess> processes) {
    if (edges.stream().anyMatch(edge -> edge.reach() == Reach.INTRA_POD)) {
      boolean noP2p = Disabled.p2p(processes.getFirst());
      boolean noShm = Disabled.shm(processes.getFirst());
      return noP2p && noShm
          ? "P2P and shared memory are disabled by environment"
          : "P2P and shared memory are not possible between these ranks";
    }
    if (edges.stream().allMatch(edge -> edge.reach() == Reach.INTRA_NODE)) {
      return "the ranks are in different pods of one node";
    }
    return "NCCL found no RDMA network";
  }
}
