package io.ringside.streams.parse.event;

import java.util.OptionalInt;
import java.util.regex.Pattern;

/// The prefix of an NCCL line: `[2025-12-28 16:04:25] host:pid:tid [cudaDev] NCCL INFO`. The CUDA
/// device is that of the writing thread, 0 or -1 on helper threads, and is not a rank. Form from
/// NCCL src/debug.cc, 2.3.5 to 2.30.7.
///
/// @param host host name cut at its first dot; in a pod the pod's host name, not the node's
/// @param pid process id in its own pid namespace: small numbers repeat from pod to pod
/// @param tid id of the thread that wrote the line
/// @param stampNanos NCCL's own timestamp as epoch nanoseconds, its local time read as UTC, or
///   [#NO_STAMP]
/// @param stampDigits sub-second digits of the timestamp; 0 means whole seconds
public record NcclHead(String host, int pid, int tid, long stampNanos, int stampDigits) {

  /// Stands for a line without a timestamp of its own.
  public static final long NO_STAMP = Long.MIN_VALUE;

  /// Head of a line whose header was cut away: the line counts as one of the only process of its
  /// pod.
  public static final NcclHead CUT_AWAY = new NcclHead("", 0, 0, NO_STAMP, 0);

  private static final Pattern DEVICE = Pattern.compile(" \\[(\\d{1,4})] NCCL INFO ");

  /// The CUDA device in the header of a line, if it has one. It is not parsed with the rest,
  /// because few lines need it.
  public static OptionalInt device(String line) {
    var device = DEVICE.matcher(line);
    return device.find() ? OptionalInt.of(Integer.parseInt(device.group(1))) : OptionalInt.empty();
  }

  /// True if NCCL wrote its own timestamp on the line.
  public boolean stamped() {
    return stampNanos != NO_STAMP;
  }
}
