package io.ringside.streams.ledger.price;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.ledger.Comparison;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the job's earlier runs say of a run that has hardly begun: how long its steps will take.
///
/// @param kind what is worse than in the good run
/// @param price what the job's own pairs tell, null where it has none
/// @param goodMillis what a step of the good run took
public record Forecast(FindingKind kind, @Nullable LearnedPrice price, double goodMillis) {

  /// @param kind of the finding
  /// @param line of the run, which need not have made a step
  /// @param earlier lines of the job's earlier runs, oldest first
  /// @return empty where no earlier run tells what a good step takes
  public static Optional<Forecast> of(FindingKind kind, RunSummary line, List<RunSummary> earlier) {
    var good =
        earlier.stream()
            .filter(run -> millis(run) != null && Pair.like(line, run))
            .filter(run -> answers(kind, Lost.kind(line, run)))
            .reduce((_, later) -> later);
    if (good.isEmpty()) {
      return Optional.empty();
    }
    var lost = Lost.kind(line, good.get()).orElseThrow();
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

  /// A regression is whatever was lost.
  private static boolean answers(FindingKind kind, Optional<FindingKind> lost) {
    return lost.isPresent() && (kind == FindingKind.TRANSPORT_REGRESSION || lost.get() == kind);
  }

  private static @Nullable Double millis(RunSummary run) {
    var steps = Comparison.steps(run);
    return steps == null ? null : Comparison.millis(steps);
  }
}
