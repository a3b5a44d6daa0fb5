package io.ringside.streams.detect.socket;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.fallback.EfaFallback;
import io.ringside.streams.detect.network.NetworkFallback;
import io.ringside.streams.examine.DisabledTransports;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.examine.RunEdge.Reach;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import java.util.LinkedHashSet;
import java.util.List;

/// Finds edges over TCP sockets where nothing shows that EFA or InfiniBand was expected.
///
/// `Using network Socket` alone is no sign: every healthy job on one host prints it.
public final class SocketTransport implements Detector {
  private final EfaFallback fallback = new EfaFallback();
  private final NetworkFallback networkFallback = new NetworkFallback();

  @Override
  public List<Finding> examine(Examination examination) {
    var edges =
        examination.edges().stream().filter(edge -> Transports.socket(edge.transport())).toList();
    var processes = new LinkedHashSet<TrainingProcess>();
    edges.forEach(edge -> processes.add(edge.printer()));
    if (edges.isEmpty() && !joinedByNvlink(examination)) {
      // the log ends before the edges, but shows that there are other hosts
      examination.run().byRank().stream()
          .filter(process -> NetworkUse.of(process, examination).overSocket())
          .forEach(processes::add);
    }
    if (processes.isEmpty()) {
      return SlowTable.of(examination).stream().toList();
    }
    if (!fallback.examine(examination).isEmpty()
        || !networkFallback.examine(examination).isEmpty()) {
      return List.of();
    }
    boolean spansNodes =
        edges.stream().anyMatch(SocketTransport::spansNodes)
            || (edges.isEmpty() && severalNodes(processes, examination));
    var draft =
        FindingDraft.about(
                FindingKind.SOCKET_TRANSPORT,
                spansNodes ? Severity.WARNING : Severity.INFO,
                examination,
                processes)
            .summary(
                "%s over TCP sockets %s"
                    .formatted(
                        RankText.clause(
                            processes.stream().map(examination.run()::rank).toList(),
                            "talks",
                            "talk"),
                        spansNodes ? "between nodes" : "although they are on one node"))
            .expected(spansNodes ? "an RDMA network, if the nodes have one" : "P2P or SHM")
            .observed("NET/Socket")
            .cause(cause(edges, processes, spansNodes));
    draft.proof(processes.getFirst().proof(TrainingProcess.Statement.NO_IB_DEVICE));
    draft.proof(processes.getFirst().proof(TrainingProcess.Statement.NETWORK));
    edges.stream().limit(4).forEach(edge -> draft.proof(edge.proof()));
    return List.of(draft.finding());
  }

  /// Whether NVLink joins the run's machines. NCCL still selects a network then, also on ranks
  /// without an edge to another machine.
  private static boolean joinedByNvlink(Examination examination) {
    return examination.edges().stream()
        .anyMatch(edge -> Transports.joinsMachines(edge.transport()));
  }

  private static boolean spansNodes(RunEdge edge) {
    return edge.reach() == Reach.INTER_NODE || edge.reach() == Reach.INTER_POD;
  }

  /// Whether the ranks are known to be on several nodes, or some of them have no lines here.
  private static boolean severalNodes(
      LinkedHashSet<TrainingProcess> processes, Examination examination) {
    return processes.stream().map(TrainingProcess::node).distinct().count() > 1
        || examination.run().processes().size() < examination.run().nranks();
  }

  private static String cause(
      List<RunEdge> edges, LinkedHashSet<TrainingProcess> processes, boolean spansNodes) {
    if (processes.getFirst().variable("NCCL_IB_DISABLE").equals("1")) {
      return "NCCL_IB_DISABLE=1 forbids InfiniBand and RoCE";
    }
    if (spansNodes || edges.isEmpty()) {
      return "NCCL found no RDMA network" + meant(processes.getFirst());
    }
    if (edges.stream().anyMatch(edge -> edge.reach() == Reach.INTRA_POD)) {
      boolean noP2p = DisabledTransports.p2p(processes.getFirst());
      boolean noShm = DisabledTransports.shm(processes.getFirst());
      return noP2p && noShm
          ? "P2P and shared memory are disabled by environment"
          : "P2P and shared memory are not possible between these ranks";
    }
    if (edges.stream().allMatch(edge -> edge.reach() == Reach.INTRA_NODE)) {
      return "the ranks are in different pods of one node";
    }
    return "NCCL found no RDMA network";
  }

  /// A hint only: settings for InfiniBand are copied from machine to machine.
  private static String meant(TrainingProcess process) {
    return process.environment().keySet().stream()
        .filter(name -> name.startsWith("NCCL_IB_") && !name.equals("NCCL_IB_DISABLE"))
        .findFirst()
        .map(name -> "; " + name + " is set, so InfiniBand or RoCE may have been meant")
        .orElse("");
  }
}
