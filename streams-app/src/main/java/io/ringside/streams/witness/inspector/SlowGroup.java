package io.ringside.streams.witness.inspector;

/// A communicator whose calls are far slower than before, or than those of its peers, although no
/// rank is waited for. In each round, the time of the rank that came last counts, since it does not
/// wait.
///
/// @param comm first digits of its ID
/// @param nnodes number of machines according to NCCL, -1 if unknown
/// @param op operation of the calls that show it most clearly
/// @param bytes size of these calls, rounded down to a power of two
/// @param busGBps their bus bandwidth in GB/s
/// @param expectedGBps bus bandwidth before, or of most of its peers
/// @param peers number of communicators of the same shape in the comparison, 0 for a comparison
///   with its own past
/// @param fromMicros Unix epoch microseconds of the begin
/// @param toMicros Unix epoch microseconds of the end, as far as seen
/// @param on whether it lasts to the end of the series
public record SlowGroup(
    String comm,
    int nranks,
    int nnodes,
    String op,
    long bytes,
    float busGBps,
    float expectedGBps,
    int peers,
    long fromMicros,
    long toMicros,
    boolean on) {
  /// Duration in seconds.
  public double seconds() {
    return (toMicros - fromMicros) / 1e6;
  }
}
