package io.ringside.streams.join.job;

import io.ringside.schemas.event.Evidence;

/// What PyTorch's watchdog of one rank said last before it gave up. Numbers are sequence numbers of the
/// process group, -1 where no line gave them.
///
/// @param timedOut whether this rank itself reported a timeout
/// @param sequence the work it waited for
/// @param ranMillis how long it had waited
public record Watchdog(
    boolean timedOut,
    long sequence,
    String opType,
    long ranMillis,
    long lastEnqueued,
    long lastCompleted,
    Evidence proof) {

  Watchdog merge(Watchdog other) {
    return new Watchdog(
        timedOut || other.timedOut,
        Math.max(sequence, other.sequence),
        opType.isEmpty() ? other.opType : opType,
        Math.max(ranMillis, other.ranMillis),
        Math.max(lastEnqueued, other.lastEnqueued),
        Math.max(lastCompleted, other.lastCompleted),
        timedOut == other.timedOut
            ? (proof.offset() <= other.proof.offset() ? proof : other.proof)
            : (timedOut ? proof : other.proof));
  }
}
