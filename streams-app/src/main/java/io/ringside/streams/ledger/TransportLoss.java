package io.ringside.streams.ledger;

import io.ringside.schemas.event.RunSummary;
import java.util.Optional;

/// What a run lost of an earlier run's transport.
///
/// @param reach between which ranks: `intra-pod`, `intra-node`, `inter-node` …, or `all ranks`
/// @param was what was used before
/// @param is what is used instead
/// @param after the grade of what is used now, empty where only channels were lost
public record TransportLoss(String reach, String was, String is, Optional<Grade> after) {

  /// The worst loss, if there is one.
  ///
  /// Compared are edges of the same reach; and over all edges as well, unless the later run has
  /// more nodes, since a job of four pods on one node talks over the network where one pod used
  /// NVLink.
  ///
  /// @param channelShare up to this share of the channels there are too few
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

  private static Grade grade(RunSummary run, String reach) {
    return Comparison.worst(
            run.transports().stream()
                .filter(edge -> edge.edgeClass().equals(reach))
                .map(RunSummary.Transport::transport)
                .toList())
        .orElse(Grade.P2P);
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

  private static Optional<Grade> worst(RunSummary run) {
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
