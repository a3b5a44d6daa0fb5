package io.ringside.streams.ledger;

import io.ringside.schemas.event.RunSummary;
import java.util.Optional;

/// How a run's transport is worse than an earlier run's.
///
/// @param reach distance of the ranks: `intra-pod`, `intra-node`, `inter-node` …, or `all ranks`
/// @param was what was used before
/// @param is what is used instead
/// @param after grade of what is used now, empty if only channels were lost
public record TransportLoss(String reach, String was, String is, Optional<TransportGrade> after) {

  /// The worst loss, if there is one.
  ///
  /// Edges of the same reach are compared. All edges together are compared too, unless the later
  /// run has more nodes, since a job of four pods on one node uses the network where one pod used
  /// NVLink.
  ///
  /// @param channelShare share of the earlier run's channels up to which there are too few
  public static Optional<TransportLoss> between(
      RunSummary before, RunSummary after, double channelShare) {
    Optional<TransportLoss> worst = Optional.empty();
    for (var change : Comparison.ofTransports(before, after)) {
      if (change.effect() == Comparison.Effect.WORSE) {
        var grade = grade(after, change.what().substring("transport ".length()));
        if (worst.isEmpty() || grade.compareTo(worst.get().after().orElseThrow()) < 0) {
          worst =
              Optional.of(
                  new TransportLoss(
                      change.what().substring("transport ".length()),
                      change.before(),
                      change.after(),
                      Optional.of(grade)));
        }
      }
    }
    return worst.or(() -> overAll(before, after)).or(() -> channels(before, after, channelShare));
  }

  private static TransportGrade grade(RunSummary run, String reach) {
    return Comparison.worst(
            run.transports().stream()
                .filter(edge -> edge.edgeClass().equals(reach))
                .map(RunSummary.Transport::transport)
                .toList())
        .orElse(TransportGrade.P2P);
  }

  private static Optional<TransportLoss> overAll(RunSummary before, RunSummary after) {
    if (after.nodes().size() > before.nodes().size()) {
      return Optional.empty();
    }
    var was = worst(before);
    var is = worst(after);
    return was.isPresent() && is.isPresent() && is.get().compareTo(was.get()) < 0
        ? Optional.of(new TransportLoss("all ranks", was.get().words(), is.get().words(), is))
        : Optional.empty();
  }

  private static Optional<TransportGrade> worst(RunSummary run) {
    return Comparison.worst(
        run.transports().stream().map(RunSummary.Transport::transport).toList());
  }

  private static Optional<TransportLoss> channels(
      RunSummary before, RunSummary after, double channelShare) {
    return before.channels() > 0
            && after.channels() > 0
            && after.channels() <= channelShare * before.channels()
            && before.ncclVersion().equals(after.ncclVersion())
        ? Optional.of(
            new TransportLoss(
                "all ranks",
                before.channels() + " channels",
                after.channels() + " channels",
                Optional.empty()))
        : Optional.empty();
  }
}
