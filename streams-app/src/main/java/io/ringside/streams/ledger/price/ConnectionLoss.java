package io.ringside.streams.ledger.price;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.ledger.TransportGrade;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// Finds the one thing in which the connections of a run's ranks are worse than another run's.
final class ConnectionLoss {
  private ConnectionLoss() {}

  /// Empty if nothing is worse, and also if several things are: their costs cannot be separated.
  static Optional<FindingKind> kind(RunSummary run, RunSummary other) {
    boolean placed =
        run.nodes().size() == other.nodes().size() && run.pods().size() == other.pods().size();
    return placed ? transport(run, other) : placement(run, other);
  }

  private static Optional<FindingKind> transport(RunSummary run, RunSummary other) {
    var is = grades(run);
    var was = grades(other);
    if (!is.keySet().equals(was.keySet())) {
      return Optional.empty();
    }
    List<FindingKind> lost = new ArrayList<>();
    for (var reach : is.entrySet()) {
      var before = Objects.requireNonNull(was.get(reach.getKey()));
      int change = reach.getValue().compareTo(before);
      if (change > 0) {
        return Optional.empty(); // this reach is better; another may be worse
      }
      if (change < 0) {
        var kind = kind(reach.getValue(), before, other);
        if (kind.isEmpty()) {
          return Optional.empty();
        }
        lost.add(kind.get());
      }
    }
    return lost.size() == 1 ? Optional.of(lost.getFirst()) : Optional.empty();
  }

  /// Kind of the loss. Empty if ranks of one reach use the network now and did not before: the
  /// ranks are placed differently.
  private static Optional<FindingKind> kind(
      TransportGrade is, TransportGrade was, RunSummary other) {
    return switch (is) {
      case SOCKET ->
          Optional.of(
              switch (was) {
                case NET, GDR -> fabric(other);
                case SOCKET, SHM, P2P_READ, P2P -> FindingKind.SOCKET_TRANSPORT;
              });
      case NET, GDR ->
          was == TransportGrade.GDR ? Optional.of(FindingKind.GDR_MISSING) : Optional.empty();
      case SHM -> Optional.of(FindingKind.SHM_FALLBACK);
      case P2P_READ, P2P -> Optional.of(FindingKind.P2P_READ);
    };
  }

  /// Kind of a fallback: Libfabric is EFA, everything else is a network.
  private static FindingKind fabric(RunSummary other) {
    return other.transports().stream().anyMatch(edge -> edge.transport().contains("Libfabric"))
        ? FindingKind.EFA_FALLBACK
        : FindingKind.NETWORK_FALLBACK;
  }

  /// More pods on at least as many nodes. A fallback at the same time would be a second loss.
  private static Optional<FindingKind> placement(RunSummary run, RunSummary other) {
    boolean split =
        run.pods().size() > other.pods().size() && run.nodes().size() >= other.nodes().size();
    boolean fallen =
        grades(run).containsValue(TransportGrade.SOCKET)
            && !grades(other).containsValue(TransportGrade.SOCKET);
    return split && !fallen ? Optional.of(FindingKind.SPLIT_PLACEMENT) : Optional.empty();
  }

  /// The worst grade for each reach.
  private static TreeMap<String, TransportGrade> grades(RunSummary run) {
    var grades = new TreeMap<String, TransportGrade>();
    for (var edge : run.transports()) {
      grades.merge(
          edge.edgeClass(),
          TransportGrade.of(edge.transport()),
          (a, b) -> a.compareTo(b) < 0 ? a : b);
    }
    return grades;
  }
}
