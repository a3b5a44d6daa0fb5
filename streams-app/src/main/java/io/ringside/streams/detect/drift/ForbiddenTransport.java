package io.ringside.streams.detect.drift;

import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.examine.RunEdge.Reach;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.Transport;
import java.util.Optional;

/// A transport that a variable forbids. A rank with an edge over this transport cannot have the
/// variable set to that value, even if its log is incomplete: NCCL reads the variable before it
/// makes such an edge (src/graph/paths.cc, `ncclTopoCheckP2p`; src/transport/shm.cc, net_ib). The
/// same holds for a rank that takes IB for its network, which it does before any edge: a job whose
/// ranks differ in this may fail before they are connected.
///
/// @param value the value of the variable that forbids it
record ForbiddenTransport(String value, Kind kind) {
  private enum Kind {
    P2P,
    SHM,
    IB
  }

  /// The transport that the variable forbids; empty if some process prints another value.
  static Optional<ForbiddenTransport> by(String name, Examination examination) {
    var forbidden =
        switch (name) {
          case "NCCL_P2P_DISABLE" -> new ForbiddenTransport("1", Kind.P2P);
          case "NCCL_P2P_LEVEL" -> new ForbiddenTransport("LOC", Kind.P2P);
          case "NCCL_SHM_DISABLE" -> new ForbiddenTransport("1", Kind.SHM);
          case "NCCL_IB_DISABLE" -> new ForbiddenTransport("1", Kind.IB);
          default -> null;
        };
    return Optional.ofNullable(forbidden)
        .filter(
            it ->
                examination.run().processes().stream()
                    .map(process -> process.variable(name))
                    .allMatch(value -> value.isEmpty() || value.equals(it.value())));
  }

  /// Whether the process uses the forbidden transport.
  boolean usedBy(TrainingProcess process, Examination examination) {
    return kind == Kind.IB && takesIb(process)
        || examination.edges(process).stream().anyMatch(this::carries);
  }

  /// NCCL's own network over InfiniBand finds no card where the variable forbids it, and is then
  /// not taken (src/transport/net_ib, `ncclIbInit`).
  private static boolean takesIb(TrainingProcess process) {
    return process.memberships().values().stream().anyMatch(each -> each.network().equals("IB"));
  }

  private boolean carries(RunEdge edge) {
    boolean local = edge.reach() == Reach.INTRA_POD || edge.reach() == Reach.INTRA_NODE;
    return switch (edge.transport()) {
      case Transport.P2p _ -> kind == Kind.P2P && local;
      case Transport.Shm _ -> kind == Kind.SHM;
      case Transport.Net net -> kind == Kind.IB && net.network().equals("IB");
      case Transport.CollNet _ -> false;
    };
  }
}
