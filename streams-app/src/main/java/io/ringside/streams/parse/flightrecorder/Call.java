package io.ringside.streams.parse.flightrecorder;

import java.util.Objects;

/// One call that a rank has made.
///
/// @param record its number among all calls that this rank recorded
/// @param group key of its group, see {@link Group#key}
/// @param collective number of the group's collective calls so far; for a Send or Recv, of those
///   before it
/// @param pair number of the group's Sends and Recvs so far, 0 for a collective
/// @param operation PyTorch's name, without `nccl:`: `all_reduce`, `_all_gather_base`, `send`,
///   `coalesced`
/// @param from sending and receiving rank of a Send or Recv, numbered within the group, else -1
/// @param inputs sizes of the input tensors, `[2048, 5120]`, and their types
/// @param elements number of input elements, -1 if unknown
/// @param frame line of the program that made the call: `train.py:88 in step`, empty if unknown
/// @param micros duration on the GPU in microseconds, -1 if it was not measured
///   (`TORCH_NCCL_ENABLE_TIMING`)
/// @param createdNanos Unix epoch nanoseconds, 0 if unknown; the same for completedNanos
public record Call(
    long record,
    String group,
    long collective,
    long pair,
    String operation,
    boolean p2p,
    int from,
    int to,
    String inputs,
    String dtype,
    long elements,
    CallState state,
    String frame,
    int micros,
    long createdNanos,
    long completedNanos) {

  public Call {
    // a job holds hundreds of calls of each of thousands of ranks, with the same few texts
    group = group.intern();
    operation = operation.intern();
    inputs = inputs.intern();
    dtype = dtype.intern();
    frame = frame.intern();
    Objects.requireNonNull(state, "state");
  }

  /// Whether the rank still waits for it.
  public boolean pending() {
    return state != CallState.COMPLETED;
  }

  /// The call as text for a report: `all_reduce of [17433600] Float`.
  public String words() {
    return inputs.isEmpty() ? operation : "%s of %s %s".formatted(operation, inputs, dtype).strip();
  }
}
