package io.ringside.streams.examine;

import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import io.ringside.streams.parse.event.Transport;

/// What one process does with the network: what it chose, and whether it uses it.
///
/// @param chosen what `Using network` said for its largest communicator, empty if it did not say
/// @param beyondPod whether a communicator of it reaches beyond its pod
/// @param edgesOverNet whether an edge of it goes over a network
/// @param edgesOverSocket whether an edge of it goes over TCP sockets
public record NetworkUse(
    String chosen, boolean beyondPod, boolean edgesOverNet, boolean edgesOverSocket) {

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
    }
    beyond |= reachesOtherPods(process, examination);
    boolean net = false;
    boolean socket = false;
    for (var edge : examination.edges(process)) {
      if (edge.group().transport() instanceof Transport.Net) {
        net = true;
        socket |= Transports.socket(edge.group().transport());
        beyond |= edge.reach() != RunEdge.Reach.INTRA_POD;
      }
    }
    return new NetworkUse(chosen, beyond, net, socket);
  }

  /// Whether a rank of one of its communicators has lines in another pod: up to 2.20.2 NCCL prints no number
  /// of nodes.
  private static boolean reachesOtherPods(TrainingProcess process, Examination examination) {
    var run = examination.run();
    return process.memberships().entrySet().stream()
        .filter(membership -> membership.getValue().localRanks() < 0)
        .flatMap(membership -> run.communicator(membership.getKey()).stream())
        .flatMap(comm -> comm.processByRank().values().stream())
        .flatMap(id -> run.process(id).stream())
        .anyMatch(other -> !SharedNodes.samePod(process, other));
  }

  /// Whether traffic goes over TCP sockets, or will once a connection is needed.
  public boolean overSocket() {
    return edgesOverSocket || (chosen.equals("Socket") && beyondPod && !edgesOverNet);
  }
}
