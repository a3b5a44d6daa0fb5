package io.ringside.streams.parse.inspector;

import java.util.Objects;

/// How long a rank was in calls of one operation on one communicator, including the time it waited
/// for other ranks.
///
/// @param comm the first digits of the communicator's id: `0x` and 14 of the 16 hexadecimal digits
///   in 2.28
/// @param nnodes number of machines in the communicator, -1 if unknown
/// @param host host name of the process, and `pid` its number; empty and -1 if unknown
/// @param sequences numbers of the calls, counted per operation
/// @param micros duration of each call in microseconds
/// @param busGBps bus bandwidth of each call in GB/s by the formulas of nccl-tests, 0 if it is
///   unknown or was not measured on the GPU
/// @param bytes size of each call in bytes as the Inspector counts it, 0 if unknown
/// @param atMicros Unix epoch microseconds at which each call was recorded
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
