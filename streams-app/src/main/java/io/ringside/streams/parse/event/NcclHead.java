package io.ringside.streams.parse.event;

/// The prefix of an NCCL line: `[2025-12-28 16:04:25] host:pid:tid [cudaDev] NCCL INFO`.
/// Form read in NCCL src/debug.cc, 2.3.5 to 2.30.7.
///
/// @param host host name cut at its first dot; in a pod the pod's host name, not the node's
/// @param pid process id in its own pid namespace: small numbers repeat from pod to pod
/// @param tid id of the thread that wrote the line
/// @param cudaDev CUDA device of the writing thread: not a rank; 0 or -1 on helper threads
/// @param stampNanos NCCL's own timestamp as epoch nanoseconds, its local time read as UTC, or [#NO_STAMP]
/// @param stampDigits sub-second digits of the timestamp; 0 means whole seconds
/// @param level level of the line
public record NcclHead(
    String host, int pid, int tid, int cudaDev, long stampNanos, int stampDigits, Level level) {

  /// Stands for a line without a timestamp of its own.
  public static final long NO_STAMP = Long.MIN_VALUE;

  /// Stands for a line without `[dev]` (CALL lines).
  public static final int NO_DEVICE = -2;

  /// NCCL's levels, as printed. A quieted WARN is printed as INFO, so severity is not here alone.
  public enum Level {
    INFO,
    WARN,
    VERSION,
    ABORT,
    TRACE,
    CALL
  }

  /// True if NCCL stamped the line itself.
  public boolean stamped() {
    return stampNanos != NO_STAMP;
  }
}
