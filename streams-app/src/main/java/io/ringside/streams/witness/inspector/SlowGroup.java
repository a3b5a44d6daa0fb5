package io.ringside.streams.witness.inspector;

/// A communicator whose calls are far slower than they were, or than those of its peers, though
/// nobody is waited for: of each round the time of the rank that came last counts, which waits for
/// nobody.
///
/// @param comm first digits of its id
/// @param nnodes how many machines it spans as NCCL sees it, -1 if unknown
/// @param op of the calls that tell most
/// @param bytes their size, rounded down to a power of two
/// @param busGBps what they reach
/// @param expectedGBps what they reached before, or what most of its peers reach
/// @param peers communicators of the same shape that it is compared with, 0 if with its own past
/// @param fromMicros Unix epoch microseconds from and until when it was seen so
/// @param on whether it is to the end
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
  /// For how long.
  public double seconds() {
    return (toMicros - fromMicros) / 1e6;
  }
}
