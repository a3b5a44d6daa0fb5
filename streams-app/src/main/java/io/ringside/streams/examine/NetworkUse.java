package io.ringside.streams.examine;

import io.ringside.schemas.event.Severity;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import io.ringside.streams.parse.event.Transport;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// Which network one process selected, and whether it uses it.
///
/// @param chosen network from the `Using network` line of its largest communicator, empty if
///   unknown
/// @param beyondPod whether one of its communicators reaches beyond its pod, other than by NVLink
///   alone
/// @param edgesOverNet whether one of its edges goes over a network
/// @param edgesOverSocket whether one of its edges goes over TCP sockets
/// @param tcpProvider the libfabric provider if it only uses TCP, else empty: the plugin then
///     prints `Using network Libfabric` and edges `via NET/Libfabric`, although every byte goes
///     through sockets
/// @param socketsApart whether sockets and RDMA carry separate communicators: somebody configured
///   it that way
public record NetworkUse(
    String chosen,
    boolean beyondPod,
    boolean edgesOverNet,
    boolean edgesOverSocket,
    String tcpProvider,
    boolean socketsApart) {
  /// Most GPUs of a single machine (HGX boards of two times eight, p2.16xlarge).
  private static final int GPUS_OF_A_MACHINE = 16;

  /// Examines the process's memberships and edges.
  public static NetworkUse of(TrainingProcess process, Examination examination) {
    return examination.perProcess().network(process, () -> look(process, examination));
  }

  private static NetworkUse look(TrainingProcess process, Examination examination) {
    String chosen = "";
    // the line may have come in a separate chunk, before its communicator was named; nranks is then
    // -1
    int largest = -2;
    boolean beyond = false;
    for (var entry : process.memberships().entrySet()) {
      var membership = entry.getValue();
      if (!membership.network().isEmpty() && membership.nranks() > largest) {
        chosen = membership.network();
        largest = membership.nranks();
      }
      beyond |= membership.localRanks() >= 0 && membership.localRanks() < membership.nranks();
      beyond |= membership.nodes() > 1;
      beyond |=
          membership.localRanks() < 0
              && membership.nranks() > GPUS_OF_A_MACHINE
              && !onOneNode(entry.getKey(), examination);
    }
    beyond |= reachesOtherPods(process, examination);
    var overRdma = new HashSet<String>();
    var overSocket = new HashSet<String>();
    boolean overNvlink = false;
    for (var edge : examination.edges(process)) {
      if (edge.transport() instanceof Transport.Net) {
        boolean socket = Transports.socket(edge.transport());
        (socket ? overSocket : overRdma).add(edge.comm());
        beyond |= edge.reach() != RunEdge.Reach.INTRA_POD;
      }
      overNvlink |= Transports.joinsMachines(edge.transport());
    }
    // with NVLink between machines, a network is still selected but carries nothing
    beyond &= !overNvlink || !overRdma.isEmpty() || !overSocket.isEmpty();
    return new NetworkUse(
        chosen,
        beyond,
        !overRdma.isEmpty() || !overSocket.isEmpty(),
        !overSocket.isEmpty(),
        tcp(process.provider()),
        !overSocket.isEmpty() && !overRdma.isEmpty() && Collections.disjoint(overRdma, overSocket));
  }

  /// Whether a rank of one of its communicators has lines in another pod. NCCL up to 2.20.2 prints
  /// no number of nodes.
  private static boolean reachesOtherPods(TrainingProcess process, Examination examination) {
    var run = examination.run();
    return process.memberships().entrySet().stream()
        .filter(membership -> membership.getValue().localRanks() < 0)
        .filter(membership -> !onOneNode(membership.getKey(), examination))
        .flatMap(membership -> run.communicator(membership.getKey()).stream())
        .flatMap(comm -> comm.processByRank().values().stream())
        .flatMap(id -> run.process(id).stream())
        .anyMatch(other -> !SharedNodes.samePod(process, other));
  }

  /// Whether a rank says that all ranks of the communicator are on its node.
  private static boolean onOneNode(String comm, Examination examination) {
    var run = examination.run();
    return run.communicator(comm).stream()
        .flatMap(it -> it.processByRank().values().stream())
        .flatMap(id -> run.process(id).stream())
        .flatMap(member -> Optional.ofNullable(member.memberships().get(comm)).stream())
        .anyMatch(member -> member.localRanks() == member.nranks());
  }

  /// The provider if it is one of libfabric's TCP providers, `tcp`, `tcp;ofi_rxm`, `sockets`,
  /// `net`, `udp`; else empty. Others, such as `efa`, `cxi` (Slingshot), `verbs`, `psm3` and `opx`,
  /// access the card directly.
  private static String tcp(String provider) {
    var core = provider.split(";", 2)[0];
    return Set.of("tcp", "sockets", "net", "udp").contains(core) ? provider : "";
  }

  /// Whether traffic goes over TCP sockets, or will do so once a connection is needed.
  public boolean overSocket() {
    return edgesOverSocket
        || (chosen.equals("Socket") && beyondPod && !edgesOverNet)
        || overTcpProvider();
  }

  /// How severe it is that these processes use sockets where RDMA was wanted. On one host, no
  /// traffic leaves the machine.
  public static Severity ofFallback(Collection<TrainingProcess> fallen, Examination examination) {
    var uses = fallen.stream().map(process -> of(process, examination)).toList();
    if (uses.stream().noneMatch(NetworkUse::beyondPod)) {
      return Severity.INFO;
    }
    return uses.stream().allMatch(NetworkUse::socketsApart) ? Severity.WARNING : Severity.CRITICAL;
  }

  /// Text on what a network fault means for a run that does not show whether it needs the network.
  ///
  /// @param local whether the run is known to stay within one host
  public static String outlook(boolean local) {
    return local
        ? "this run stays within one host and does not need it"
        : "the log does not say whether this run talks to other hosts, which would be over TCP sockets";
  }

  /// Whether the traffic goes over TCP inside libfabric.
  public boolean overTcpProvider() {
    return !tcpProvider.isEmpty()
        && beyondPod
        && (chosen.isEmpty() || Transports.libfabric(chosen))
        && !edgesOverSocket;
  }

  /// The carrier of the traffic for reports: `Socket`, or `Libfabric over tcp`.
  public String carried() {
    return overTcpProvider() ? "Libfabric over " + tcpProvider : "Socket";
  }
}
