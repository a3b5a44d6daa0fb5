package io.ringside.streams.ledger.price;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.ledger.Comparison;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the job's earlier runs predict for a run that has hardly begun: how long its steps will
/// take.
///
/// @param kind what is worse than in the good run
/// @param price price from the job's own pairs of runs, null if it has none
/// @param goodMillis milliseconds of a step in the good run
public record Forecast(FindingKind kind, @Nullable LearnedPrice price, double goodMillis) {

  /// @param kind kind of the finding
  /// @param line the run's summary; it need not have made a step
  /// @param earlier summaries of the job's earlier runs, oldest first
  /// @return empty if no earlier run shows the time of a good step
  public static Optional<Forecast> of(FindingKind kind, RunSummary line, List<RunSummary> earlier) {
    var good =
        earlier.stream()
            .filter(run -> millis(run) != null && Pair.like(line, run))
            .filter(run -> answers(kind, ConnectionLoss.kind(line, run)))
            .reduce((_, later) -> later);
    if (good.isEmpty()) {
      return Optional.empty();
    }
    var lost = ConnectionLoss.kind(line, good.get()).orElseThrow();
    var own =
        Pair.of(earlier).stream()
            .filter(pair -> pair.kind() == lost && pair.machine().equals(line.instanceType()))
            .toList();
    return Optional.of(
        new Forecast(
            lost,
            LearnedPrice.of(own).stream().findFirst().orElse(null),
            Objects.requireNonNull(millis(good.get()))));
  }

  /// Whether the loss explains the finding. A regression may be any loss.
  private static boolean answers(FindingKind kind, Optional<FindingKind> lost) {
    return lost.isPresent() && (kind == FindingKind.TRANSPORT_REGRESSION || lost.get() == kind);
  }

  private static @Nullable Double millis(RunSummary run) {
    var steps = Comparison.steps(run);
    return steps == null ? null : Comparison.millis(steps);
  }
}
