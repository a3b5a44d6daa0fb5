package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One collective to which a straggler came late: when each rank arrived, by corrected clocks.
///
/// @param operation such as `ReduceScatter`, null if the lines do not name it
/// @param since when the first rank arrived
/// @param ranks number of ranks that arrived
/// @param calls all calls if there are at most 16; else the first, the median, the last ones and
///     those to blame. Sorted by rank
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
  /// @param seconds after the first rank's call
  /// @param late whether the others waited for this rank
  public record Call(int rank, double seconds, boolean late) {}

  /// How long the others waited: from the last of them until the last late rank arrived.
  public double lateSeconds() {
    return end() - inTime();
  }

  /// When the last rank arrived, in seconds after the first.
  public double end() {
    return calls.stream().mapToDouble(Call::seconds).max().orElse(0);
  }

  private double inTime() {
    return calls.stream().filter(call -> !call.late()).mapToDouble(Call::seconds).max().orElse(0);
  }
}
