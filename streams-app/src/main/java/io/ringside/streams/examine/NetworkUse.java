package io.ringside.streams.examine;

import io.ringside.schemas.event.Severity;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import io.ringside.streams.parse.event.Transport;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/// What one process does with the network: what it chose, and whether it uses it.
///
/// @param chosen what `Using network` said for its largest communicator, empty if it did not say
/// @param beyondPod whether a communicator of it reaches beyond its pod, and not by NVLink alone
/// @param edgesOverNet whether an edge of it goes over a network
/// @param edgesOverSocket whether an edge of it goes over TCP sockets
/// @param tcpProvider the libfabric provider if it is nothing but TCP: the plugin then says
///     `Using network Libfabric` and edges `via NET/Libfabric`, and every byte goes through sockets
///     all the same; else empty
/// @param socketsApart whether sockets carry one communicator and RDMA another: somebody made that
///   one so
public record NetworkUse(
    String chosen,
    boolean beyondPod,
    boolean edgesOverNet,
    boolean edgesOverSocket,
    String tcpProvider,
    boolean socketsApart) {
  /// GPUs that a single machine has at most (HGX boards of two times eight, p2.16xlarge).
  private static final int GPUS_OF_A_MACHINE = 16;

  /// Looks at the process's memberships and edges.
  public static NetworkUse of(TrainingProcess process, Examination examination) {
    return examination.perProcess().network(process, () -> look(process, examination));
  }

  private static NetworkUse look(TrainingProcess process, Examination examination) {
    String chosen = "";
    // the line may have come in a chunk of its own, before its communicator was named: then nranks
    // is -1
    int largest = -2;
    boolean beyond = false;
    for (var membership : process.memberships().values()) {
      if (!membership.network().isEmpty() && membership.nranks() > largest) {
        chosen = membership.network();
        largest = membership.nranks();
      }
      beyond |= membership.localRanks() >= 0 && membership.localRanks() < membership.nranks();
      beyond |= membership.nodes() > 1;
      beyond |= membership.localRanks() < 0 && membership.nranks() > GPUS_OF_A_MACHINE;
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
    // NVLink that joins machines: a network is still chosen, and carries nothing
    beyond &= !overNvlink || !overRdma.isEmpty() || !overSocket.isEmpty();
    return new NetworkUse(
        chosen,
        beyond,
        !overRdma.isEmpty() || !overSocket.isEmpty(),
        !overSocket.isEmpty(),
        tcp(process.provider()),
        !overSocket.isEmpty() && !overRdma.isEmpty() && Collections.disjoint(overRdma, overSocket));
  }

  /// Whether a rank of one of its communicators has lines in another pod: up to 2.20.2 NCCL prints
  /// no number of nodes.
  private static boolean reachesOtherPods(TrainingProcess process, Examination examination) {
    var run = examination.run();
    return process.memberships().entrySet().stream()
        .filter(membership -> membership.getValue().localRanks() < 0)
        .flatMap(membership -> run.communicator(membership.getKey()).stream())
        .flatMap(comm -> comm.processByRank().values().stream())
        .flatMap(id -> run.process(id).stream())
        .anyMatch(other -> !SharedNodes.samePod(process, other));
  }

  /// The provider if it is one of libfabric's over TCP, `tcp`, `tcp;ofi_rxm`, `sockets`, `net`,
  /// `udp`; else empty. Others, such as `efa`, `cxi` (Slingshot), `verbs`, `psm3` and `opx`, reach
  /// the card directly.
  private static String tcp(String provider) {
    var core = provider.split(";", 2)[0];
    return Set.of("tcp", "sockets", "net", "udp").contains(core) ? provider : "";
  }

  /// Whether traffic goes over TCP sockets, or will once a connection is needed.
  public boolean overSocket() {
    return edgesOverSocket
        || (chosen.equals("Socket") && beyondPod && !edgesOverNet)
        || overTcpProvider();
  }

  /// How grave it is that these carry their traffic over sockets where RDMA was wanted: on one host
  /// nothing of it leaves the machine.
  public static Severity ofFallback(Collection<TrainingProcess> fallen, Examination examination) {
    var uses = fallen.stream().map(process -> of(process, examination)).toList();
    if (uses.stream().noneMatch(NetworkUse::beyondPod)) {
      return Severity.INFO;
    }
    return uses.stream().allMatch(NetworkUse::socketsApart) ? Severity.WARNING : Severity.CRITICAL;
  }

  /// What a fault of the network means for a run that does not show that it needs it.
  ///
  /// @param local whether the run is known to stay within one host
  public static String outlook(boolean local) {
    return local
        ? "this run stays within one host and does not need it"
        : "the log does not say whether this run talks to other hosts, which would be over TCP sockets";
  }

  /// Whether it goes over TCP inside libfabric.
  public boolean overTcpProvider() {
    return !tcpProvider.isEmpty()
        && beyondPod
        && (chosen.isEmpty() || Transports.libfabric(chosen))
        && !edgesOverSocket;
  }

  /// What carries the traffic, in words: `Socket`, or `Libfabric over tcp`.
  public String carried() {
    return overTcpProvider() ? "Libfabric over " + tcpProvider : "Socket";
  }
}
