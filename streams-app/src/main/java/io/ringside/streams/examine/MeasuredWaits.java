package io.ringside.streams.examine;

import io.ringside.streams.witness.inspector.InspectorVerdict;
import java.util.List;

/// Which rank the others waited for on one communicator, by the ranks' own times: NCCL Inspector's,
/// or the flight recorder's if it measures them.
///
/// @param witness `inspector` or `flight-recorder`
/// @param ranks the run's rank for each rank of the communicator, -1 if unknown
public record MeasuredWaits(String witness, InspectorVerdict verdict, List<Integer> ranks) {
  public MeasuredWaits {
    ranks = List.copyOf(ranks);
  }

  /// The run's rank that cost the most time, -1 if unknown.
  public int rank() {
    return ranks.get(verdict.rank());
  }

  /// Seconds that a rank of the run itself waited there.
  public double waited(int rank) {
    int own = ranks.indexOf(rank);
    return own < 0 ? 0 : verdict.waitedSeconds().get(own);
  }

  /// The verdict as text.
  public String says() {
    return "in %d of %d rounds over 20 ms rank %d waits least, %s lost"
        .formatted(
            verdict.late(), verdict.slow(), rank(), DurationWords.time(verdict.lostSeconds()));
  }
}
