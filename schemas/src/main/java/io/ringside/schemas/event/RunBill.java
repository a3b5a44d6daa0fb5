package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a run's faults cost it: how much sooner it would have been where it is, had each not been.
///
/// Items add up: what two faults hide from each other is counted once, and all of them are never
/// more than the run's time.
///
/// @param seconds how long the run took so far, wall clock, 0 where its lines carry no times
/// @param idealSeconds how long it would have taken without any of the items
/// @param items the dearest first
/// @param notBilled what was found and has no price, and why
/// @param ahead what goes on to cost as long as nobody acts, the dearest first; empty for a run
///     that is over, and in records of before 0.2
public record RunBill(
    double seconds,
    double idealSeconds,
    List<Item> items,
    List<NotBilled> notBilled,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Ahead> ahead) {
  /// Nothing is known.
  public static final RunBill NONE = new RunBill(0, 0, List.of(), List.of());

  /// The most items.
  public static final int MAX_ITEMS = 32;

  /// Of a run that is over, or of which nobody knows what it goes on to cost.
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
  /// @param cause the kind of the finding that is to blame in the end
  /// @param finding its id
  /// @param ranks those to blame, empty where nobody is
  /// @param nodes theirs
  /// @param seconds by which the run would have been sooner, wall clock
  /// @param lowSeconds at least, as far as is known
  /// @param highSeconds at most, as far as is known
  /// @param gpuSeconds seconds times all GPUs of the run; a finding's cost counts those alone that
  ///   waited
  /// @param money what those cost by `costPerGpuHour`; null where no price is given
  /// @param without what each of several ranks alone makes, which is less than all together; empty
  ///   for one rank
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

  /// One rank of several that were late together.
  ///
  /// @param seconds by which the run would have been sooner had this rank alone been in time
  public record Alone(int rank, double seconds) {}

  /// A finding without a price.
  public record NotBilled(FindingKind cause, String finding, String because) {}

  /// A fault that holds, and what each hour of it costs as long as nobody acts.
  ///
  /// @param cause the kind of the finding that is to blame in the end
  /// @param finding its id
  /// @param ranks those to blame, empty where nobody is
  /// @param share of the time that the run loses, 0 to 1; all of them together are never more than
  ///   1
  /// @param lowShare at least, as far as is known
  /// @param highShare at most, as far as is known
  /// @param gpuSecondsPerHour an hour's share times all GPUs of the run
  /// @param moneyPerHour what those cost by `costPerGpuHour`; null where no price is given
  /// @param basis what says so, one clause
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
