package io.ringside.streams.ledger.campaign;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.NotJudged;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The part of a run that lies in a window. The ledger does not show when in a run a fault cost its
/// time, so the cost is spread evenly.
record RunPart(RunSummary run, Instant since, Instant until, double share) {

  /// Empty if no part of the run is in the window, or if its times or ranks are unknown.
  static Optional<RunPart> of(RunSummary run, Instant since, Instant until) {
    if (!timed(run)) {
      return Optional.empty();
    }
    var began = Objects.requireNonNull(run.since());
    var ended = Objects.requireNonNull(run.until());
    var from = began.isBefore(since) ? since : began;
    var to = ended.isAfter(until) ? until : ended;
    return from.isBefore(to)
        ? Optional.of(new RunPart(run, from, to, seconds(from, to) / seconds(began, ended)))
        : Optional.empty();
  }

  static boolean timed(RunSummary run) {
    return run.since() != null
        && run.until() != null
        && run.since().isBefore(run.until())
        && ranks(run) > 0;
  }

  private static int ranks(RunSummary run) {
    return run.nranks() > 0 ? run.nranks() : run.ranksSeen();
  }

  double gpuSeconds() {
    return ranks(run) * seconds(since, until);
  }

  List<RunBill.Item> items() {
    return run.bill() == null ? List.of() : run.bill().items();
  }

  /// GPU-seconds lost, never more than the run held.
  double lost() {
    double lost = share * items().stream().mapToDouble(RunBill.Item::gpuSeconds).sum();
    return Math.min(lost, gpuSeconds());
  }

  /// GPU-seconds without the loss.
  double rest() {
    return gpuSeconds() - lost();
  }

  /// Whether a loss would have been seen.
  boolean judged() {
    var missing = run.notJudged().stream().map(NotJudged::what).toList();
    return !run.failed() && !missing.containsAll(List.of("waits", "steps"));
  }

  /// A fault of the run that has no price, if any: the rest may be worth little.
  Optional<String> unpriced() {
    var bill = run.bill();
    if (bill != null && !bill.notBilled().isEmpty()) {
      return Optional.of(bill.notBilled().getFirst().cause().label());
    }
    return items().isEmpty()
        ? run.checklist().stream()
            .filter(check -> check.status() == Check.Status.FAIL)
            .map(Check::name)
            .findFirst()
        : Optional.empty();
  }

  private static double seconds(Instant from, Instant to) {
    return Nanos.seconds(Duration.between(from, to).toNanos());
  }
}
