package io.ringside.streams.witness.inspector;

import java.util.Comparator;
import java.util.List;

/// The bandwidth of one kind of call on one communicator over some time.
///
/// @param fromMicros Unix epoch microseconds of the first call
/// @param toMicros Unix epoch microseconds of the last call
/// @param rounds number of calls
/// @param busGBps median bus bandwidth in GB/s
record Speed(long fromMicros, long toMicros, int rounds, float busGBps) {
  /// Merges two, with the mean of their bandwidths.
  static Speed of(Speed one, Speed other) {
    int rounds = one.rounds + other.rounds;
    float mean = (one.rounds * one.busGBps + other.rounds * other.busGBps) / rounds;
    return new Speed(one.fromMicros, other.toMicros, rounds, mean);
  }

  /// The median bandwidth in GB/s, 0 if there are none.
  static float median(List<Speed> speeds) {
    return speeds.stream()
        .sorted(Comparator.comparingDouble(Speed::busGBps))
        .skip(speeds.size() / 2)
        .findFirst()
        .map(Speed::busGBps)
        .orElse(0f);
  }
}
