package io.ringside.streams.ledger.price;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.ledger.Comparison;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Two runs of one job with the same number of ranks on the same machines, with the same model and
/// batch as far as lines show. One of them had the worse transport or placement.
///
/// @param kind kind of finding that describes the worse run
/// @param machine instance type, empty if unknown
/// @param worse milliseconds of a step in the worse run
/// @param better milliseconds of a step in the better run
public record Pair(FindingKind kind, String machine, JobKey job, double worse, double better) {
  /// Least steps that show a usual time.
  private static final int ENOUGH_STEPS = 10;

  /// Step time of the worse run divided by that of the better one.
  public double ratio() {
    return worse / better;
  }

  /// Pairs each run with the last better one before it, else with the first better one after it: no
  /// run is the worse one of two pairs of the same kind.
  public static List<Pair> of(List<RunSummary> ledger) {
    var pairs = new ArrayList<Pair>();
    ledger.stream()
        .filter(Pair::undisturbed)
        .sorted(Comparator.comparingInt(RunSummary::attempt))
        .collect(Collectors.groupingBy(JobKey::of))
        .values()
        .forEach(runs -> runs.forEach(run -> pairs.addAll(of(run, runs))));
    return pairs;
  }

  private static List<Pair> of(RunSummary run, List<RunSummary> runs) {
    Map<FindingKind, Pair> nearest = new EnumMap<>(FindingKind.class);
    for (var other : runs) {
      boolean before = other.attempt() < run.attempt();
      between(run, other)
          .ifPresent(
              pair -> nearest.merge(pair.kind(), pair, (known, next) -> before ? next : known));
    }
    return List.copyOf(nearest.values());
  }

  private static Optional<Pair> between(RunSummary run, RunSummary other) {
    var is = Comparison.steps(run);
    var was = Comparison.steps(other);
    if (is == null || was == null || !like(run, other)) {
      return Optional.empty();
    }
    var worse = Comparison.millis(is);
    var better = Comparison.millis(was);
    return worse == null || better == null || better <= 0 || !is.source().equals(was.source())
        ? Optional.empty()
        : ConnectionLoss.kind(run, other)
            .map(kind -> new Pair(kind, run.instanceType(), JobKey.of(run), worse, better));
  }

  /// Whether both are equal except for what connects their ranks.
  static boolean like(RunSummary run, RunSummary other) {
    var is = Comparison.steps(run);
    var was = Comparison.steps(other);
    return run.nranks() == other.nranks()
        && run.nranks() > 1
        && run.instanceType().equals(other.instanceType())
        && run.ncclVersion().equals(other.ncclVersion())
        && (is == null
            || was == null
            || Objects.equals(is.globalBatch(), was.globalBatch())
                && Objects.equals(is.sequenceLength(), was.sequenceLength())
                && Comparison.sameIfKnown(is.parameters(), was.parameters()));
  }

  /// Faults that do not change the time of a usual step, or that are what a pair compares.
  private static final Set<FindingKind> HARMLESS =
      EnumSet.of(
          FindingKind.LATE_START,
          FindingKind.HANG,
          FindingKind.TRANSPORT_REGRESSION,
          FindingKind.EFA_FALLBACK,
          FindingKind.NETWORK_FALLBACK,
          FindingKind.SOCKET_TRANSPORT,
          FindingKind.SHM_FALLBACK,
          FindingKind.P2P_READ,
          FindingKind.GDR_MISSING,
          FindingKind.SPLIT_PLACEMENT);

  /// Whether the run made enough steps, and no other fault made them longer.
  private static boolean undisturbed(RunSummary run) {
    var steps = Comparison.steps(run);
    return steps != null
        && steps.steps() >= ENOUGH_STEPS
        && (run.bill() == null
            || run.bill().items().stream().allMatch(item -> HARMLESS.contains(item.cause())));
  }
}
