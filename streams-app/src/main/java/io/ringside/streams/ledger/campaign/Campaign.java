package io.ringside.streams.ledger.campaign;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.ledger.price.LearnedPrice;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sums over all runs in a window of time. `goodGpuSeconds`, `lostGpuSeconds`, and those of
/// `unpriced` and `notJudged` add up to `gpuSeconds`.
///
/// @param since begin of the window
/// @param until end of the window
/// @param jobs number of jobs with a run in the window
/// @param runs number of runs at least partly in the window
/// @param untimed number of runs left out because their lines have no times or show no rank
/// @param gpuSeconds GPU-seconds for which runs held GPUs
/// @param goodput null if no run is of known worth
/// @param goodGpuSeconds GPU-seconds without losses, of judged runs in which every fault has a
///   price
/// @param lostGpuSeconds GPU-seconds lost according to the bills
/// @param lostLow lower bound of the loss, as far as known
/// @param lostHigh upper bound of the loss, as far as known
/// @param money cost of the loss by `costPerGpuHour`; null unless every item has a price
/// @param notJudged runs that report neither waits nor steps: a loss would not be seen
/// @param failed runs that failed; their time is also part of the other sums, since no line shows
///   how much of their work was kept
/// @param causes most expensive first
/// @param machines most expensive first, at most {@value #MOST}; machines of one item share it
///   equally
/// @param unpriced faults without a price, by kind
/// @param prices costs of transports and placements learned from pairs of runs at any time
/// @param trend periods, oldest first
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
  /// Most machines that are named.
  public static final int MOST = 5;

  public Campaign {
    causes = List.copyOf(causes);
    machines = List.copyOf(machines);
    unpriced = List.copyOf(unpriced);
    prices = List.copyOf(prices);
    trend = List.copyOf(trend);
  }

  /// Sums up the ledger; parts of runs outside the window do not count.
  public static Campaign of(List<RunSummary> ledger, Instant since, Instant until) {
    return new CampaignSums(since, until).add(ledger).campaign();
  }

  /// Share of the GPU-hours in runs of known worth that were good training, 0 to 1. A run is of
  /// known worth if it was judged and everything found in it has a price.
  ///
  /// @param low the share with the upper bound of the loss
  /// @param high the share with the lower bound of the loss
  /// @param gpuSeconds GPU-seconds of those runs
  public record Goodput(double share, double low, double high, double gpuSeconds) {}

  /// A number of runs, and for how long they held GPUs.
  public record Held(int runs, double gpuSeconds) {}

  /// One kind of fault.
  ///
  /// @param lowGpuSeconds lower bound, as far as known
  /// @param highGpuSeconds upper bound, as far as known
  /// @param money null unless each of its items has a price
  /// @param runs number of runs that had it
  public record Cause(
      FindingKind cause,
      double gpuSeconds,
      double lowGpuSeconds,
      double highGpuSeconds,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double money,
      int runs) {}

  /// One machine.
  ///
  /// @param causes its faults, most expensive first
  public record Machine(
      String cluster, String node, double gpuSeconds, int runs, List<FindingKind> causes) {
    public Machine {
      causes = List.copyOf(causes);
    }
  }

  /// Runs with a known fault whose cost is unknown.
  ///
  /// @param what kind of finding, or the failed row of the checklist
  /// @param gpuSeconds all GPU-seconds that the runs held, without the costs of other faults
  public record Unpriced(String what, int runs, double gpuSeconds) {}

  /// A day, or a week that begins on Monday (UTC).
  ///
  /// @param goodput as for the whole window
  public record Period(
      Instant since, double gpuSeconds, double lostGpuSeconds, @Nullable Goodput goodput) {}
}
