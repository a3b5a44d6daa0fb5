package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One collective to which a straggler came late: when each rank came, by corrected clocks.
///
/// @param operation such as `ReduceScatter`, null where the lines do not say
/// @param since when the first rank came
/// @param ranks how many came
/// @param calls all of at most 16; of more the first, the median, the last ones and those to blame;
///     in the order of the ranks' numbers
public record LateStep(
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String operation,
    Instant since,
    int ranks,
    List<Call> calls) {

  public LateStep {
    Objects.requireNonNull(since, "since");
    calls = List.copyOf(calls);
  }

  /// One rank's call.
  ///
  /// @param rank global rank
  /// @param seconds after the first rank's
  /// @param late whether the others waited for it
  public record Call(int rank, double seconds, boolean late) {}

  /// For how long the others waited: from the last of them on until the last late one came.
  public double lateSeconds() {
    return end() - inTime();
  }

  /// When the last one came, in seconds after the first.
  public double end() {
    return calls.stream().mapToDouble(Call::seconds).max().orElse(0);
  }

  private double inTime() {
    return calls.stream().filter(call -> !call.late()).mapToDouble(Call::seconds).max().orElse(0);
  }
}
