package io.ringside.streams.witness.inspector;

import java.util.List;

/// Which rank was waited for on one communicator.
///
/// @param comm first digits of its ID
/// @param rounds number of rounds measured on all ranks
/// @param slow number of rounds in which a rank waited for 20 ms or more
/// @param rank rank of the communicator that cost the most time
/// @param late number of slow rounds in which that rank was late
/// @param lostSeconds seconds that others waited for it
/// @param firstMicros Unix epoch microseconds of its first late round
/// @param lastMicros Unix epoch microseconds of its last late round
/// @param waitedSeconds seconds that each rank waited in slow rounds
/// @param beganMicros Unix epoch microseconds of the first round
/// @param endedMicros Unix epoch microseconds of the last round
public record InspectorVerdict(
    String comm,
    int nranks,
    int rounds,
    int slow,
    int rank,
    int late,
    double lostSeconds,
    long firstMicros,
    long lastMicros,
    List<Double> waitedSeconds,
    long beganMicros,
    long endedMicros) {

  public InspectorVerdict {
    waitedSeconds = List.copyOf(waitedSeconds);
  }

  /// Share of the slow rounds in which that rank was late, 0 to 1.
  public double share() {
    return slow == 0 ? 0 : late / (double) slow;
  }

  /// Seconds between its first and last late round.
  public double seconds() {
    return (lastMicros - firstMicros) / 1e6;
  }
}
