package io.ringside.streams.ledger.campaign;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.ledger.price.LearnedPrice;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All runs of a window of time. `goodGpuSeconds`, `lostGpuSeconds`, and those of
/// `unpriced` and `notJudged` add up to `gpuSeconds`.
///
/// @param since when the window begins
/// @param until when it ends
/// @param jobs how many jobs had a run in it
/// @param runs how many runs were in it, in part at least
/// @param untimed runs that are left out, since their lines carry no times or tell of no rank
/// @param gpuSeconds for which runs held GPUs
/// @param goodput null where no run is of known worth
/// @param goodGpuSeconds of runs in which nothing was found that takes time, or what is left
///   without it
/// @param lostGpuSeconds what the bills say
/// @param lostLow at least, as far as is known
/// @param lostHigh at most, as far as is known
/// @param money what is lost costs by `costPerGpuHour`; null unless every item has a price
/// @param notJudged of runs that tell neither waits nor steps: a loss would not be seen
/// @param failed of runs that failed; no line tells how much of their work was kept, so it is a
///   part of the others
/// @param causes the dearest first
/// @param machines the dearest first, at most {@value #MOST}; those of one item share it equally
/// @param unpriced what was found and has no price, by what
/// @param prices what transports and placements cost by pairs of runs, whenever those were
/// @param trend oldest first
public record Campaign(
    Instant since,
    Instant until,
    int jobs,
    int runs,
    int untimed,
    double gpuSeconds,
    @Nullable Goodput goodput,
    double goodGpuSeconds,
    double lostGpuSeconds,
    double lostLow,
    double lostHigh,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double money,
    Held notJudged,
    Held failed,
    List<Cause> causes,
    List<Machine> machines,
    List<Unpriced> unpriced,
    List<LearnedPrice> prices,
    List<Period> trend) {
  /// The most machines that are named.
  public static final int MOST = 5;

  public Campaign {
    causes = List.copyOf(causes);
    machines = List.copyOf(machines);
    unpriced = List.copyOf(unpriced);
    prices = List.copyOf(prices);
    trend = List.copyOf(trend);
  }

  /// The ledger's lines, of which a part may be before the window or after it.
  public static Campaign of(List<RunSummary> ledger, Instant since, Instant until) {
    return new Sums(since, until).add(ledger).campaign();
  }

  /// Which share of the GPU-hours of runs of known worth was training as it should, 0 to 1. Of
  /// known worth are runs that were judged and in which all that was found has a price.
  ///
  /// @param low if as much was lost as may be
  /// @param high if as little was lost as may be
  /// @param gpuSeconds that those runs held
  public record Goodput(double share, double low, double high, double gpuSeconds) {}

  /// Some runs, and for how long they held GPUs.
  public record Held(int runs, double gpuSeconds) {}

  /// One kind of fault.
  ///
  /// @param lowGpuSeconds at least, as far as is known
  /// @param highGpuSeconds at most, as far as is known
  /// @param money null unless each of its items has a price
  /// @param runs how many had it
  public record Cause(
      FindingKind cause,
      double gpuSeconds,
      double lowGpuSeconds,
      double highGpuSeconds,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double money,
      int runs) {}

  /// One machine.
  ///
  /// @param causes for what, the dearest first
  public record Machine(
      String cluster, String node, double gpuSeconds, int runs, List<FindingKind> causes) {
    public Machine {
      causes = List.copyOf(causes);
    }
  }

  /// Runs of which a fault is known and not what it cost.
  ///
  /// @param what kind of a finding, or the row of the checklist that failed
  /// @param gpuSeconds all that they held but what other faults cost them
  public record Unpriced(String what, int runs, double gpuSeconds) {}

  /// A day, or a week that begins on Monday (UTC).
  ///
  /// @param goodput as in the whole
  public record Period(
      Instant since, double gpuSeconds, double lostGpuSeconds, @Nullable Goodput goodput) {}
}
