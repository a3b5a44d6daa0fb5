package io.ringside.streams.witness.inspector;

import java.util.List;

/// Who was waited for on one communicator.
///
/// @param comm first digits of its id
/// @param rounds how many were measured on all ranks
/// @param slow in how many of them somebody waited for 20 ms and more
/// @param rank of the communicator for which most time was lost
/// @param late in how many of the slow ones it was the one
/// @param lostSeconds how long others waited for it
/// @param firstMicros Unix epoch microseconds of its first and last late round
/// @param waitedSeconds how long each rank waited in the slow ones
/// @param beganMicros of the first and last round of all
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

  /// Share of the slow rounds in which it was the late one.
  public double share() {
    return slow == 0 ? 0 : late / (double) slow;
  }

  /// For how long it was late.
  public double seconds() {
    return (lastMicros - firstMicros) / 1e6;
  }
}
