package io.ringside.streams.parse.inspector;

import java.util.Objects;

/// How long a rank was in calls of one operation on one communicator, waiting for others included.
///
/// @param comm the first digits of the communicator's id: `0x` and 14 of the 16 hexadecimal digits
///   in 2.28
/// @param nnodes how many machines the communicator spans, -1 if unknown
/// @param host name of the process's host, and its number; empty and -1 if unknown
/// @param sequences numbers of the calls, which count per operation
/// @param micros how long each took
/// @param busGBps what that makes of the size by the formulas of nccl-tests, 0 where it is not
///   known or not measured on the GPU
/// @param bytes their sizes as the Inspector counts them, 0 if unknown
/// @param atMicros Unix epoch microseconds at which each was written down
@SuppressWarnings("ArrayRecordComponent") // never compared
public record InspectorTimes(
    String comm,
    int rank,
    int nranks,
    int nnodes,
    String op,
    String host,
    int pid,
    long[] sequences,
    int[] micros,
    float[] busGBps,
    long[] bytes,
    long[] atMicros) {
  public InspectorTimes {
    Objects.requireNonNull(comm, "comm");
    Objects.requireNonNull(op, "op");
    Objects.requireNonNull(host, "host");
  }
}
