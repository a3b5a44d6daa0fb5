package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a run's faults cost: how much sooner the run would have reached its current point without
/// each of them.
///
/// Items add up: time that two faults share is counted once, and their sum is never more than the
/// run's time.
///
/// @param seconds duration of the run so far, wall clock; 0 if its lines have no times
/// @param idealSeconds how long it would have taken without any of the items
/// @param items the most expensive first
/// @param notBilled findings that have no price, and why
/// @param ahead faults that go on to cost until someone acts, the most expensive first; empty for a
///     run that is over, and in records before 0.2
public record RunBill(
    double seconds,
    double idealSeconds,
    List<Item> items,
    List<NotBilled> notBilled,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Ahead> ahead) {
  /// Nothing is known.
  public static final RunBill NONE = new RunBill(0, 0, List.of(), List.of());

  /// Most items.
  public static final int MAX_ITEMS = 32;

  /// A bill of a run that is over or whose future cost is unknown.
  public RunBill(double seconds, double idealSeconds, List<Item> items, List<NotBilled> notBilled) {
    this(seconds, idealSeconds, items, notBilled, List.of());
  }

  public RunBill {
    items = List.copyOf(items);
    notBilled = List.copyOf(notBilled);
    ahead = ahead == null ? List.of() : List.copyOf(ahead);
  }

  /// One fault.
  ///
  /// @param cause kind of the finding that is the root cause
  /// @param finding id of that finding
  /// @param ranks ranks to blame, empty if none
  /// @param nodes nodes of those ranks
  /// @param seconds how much sooner the run would have been, wall clock
  /// @param lowSeconds lower bound of `seconds`, as far as is known
  /// @param highSeconds upper bound of `seconds`, as far as is known
  /// @param gpuSeconds `seconds` times all GPUs of the run; a finding's own cost counts only the
  ///     GPUs that waited
  /// @param money price of `gpuSeconds` by `costPerGpuHour`; null if no price is configured
  /// @param without if there are several ranks, what each alone costs, which is less than all
  ///     together; empty for one rank
  public record Item(
      FindingKind cause,
      String finding,
      List<Integer> ranks,
      List<String> nodes,
      double seconds,
      double lowSeconds,
      double highSeconds,
      double gpuSeconds,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double money,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Alone> without) {
    public Item {
      Objects.requireNonNull(finding, "finding");
      ranks = List.copyOf(ranks);
      nodes = List.copyOf(nodes);
      without = without == null ? List.of() : List.copyOf(without);
    }
  }

  /// One of several ranks that were late together.
  ///
  /// @param seconds how much sooner the run would have been if only this rank had been on time
  public record Alone(int rank, double seconds) {}

  /// A finding without a price.
  public record NotBilled(FindingKind cause, String finding, String because) {}

  /// A fault that persists, and its cost per hour until someone acts.
  ///
  /// @param cause kind of the finding that is the root cause
  /// @param finding id of that finding
  /// @param ranks ranks to blame, empty if none
  /// @param share of the time that the run loses, 0 to 1; the shares of all faults together are at
  ///     most 1
  /// @param lowShare lower bound of `share`, as far as is known
  /// @param highShare upper bound of `share`, as far as is known
  /// @param gpuSecondsPerHour the share of an hour times all GPUs of the run
  /// @param moneyPerHour price of `gpuSecondsPerHour` by `costPerGpuHour`; null if no price is
  ///     configured
  /// @param basis what the estimate is based on, one clause
  public record Ahead(
      FindingKind cause,
      String finding,
      List<Integer> ranks,
      double share,
      double lowShare,
      double highShare,
      double gpuSecondsPerHour,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double moneyPerHour,
      String basis) {
    public Ahead {
      Objects.requireNonNull(finding, "finding");
      ranks = List.copyOf(ranks);
    }
  }
}
