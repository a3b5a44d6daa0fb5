package io.ringside.streams.node;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.fact.Arrivals.Numbered;
import io.ringside.streams.parse.event.NcclEvent;

/// Finds out whether NCCL's `opCount` can number a process's calls on a communicator if it is
/// unknown how many calls came before. All calls of a group print the count before the group
/// (src/enqueue.cc), so a group has one number, that of its first call.
final class CallCount {
  /// The call has no number of its own: it belongs to a group, or it is the first call that is seen
  /// and its group may have begun earlier.
  static final long NONE = -1;

  /// Calls have no numbers from this one on.
  static final long LOST = -2;

  /// Calls of at most this size use a single channel (up to 32 KiB do, src/enqueue.cc, 2.27 and
  /// later). The channel leaves a host through one rank and enters it through another. If more than
  /// two ranks count such a call, all ranks do.
  private static final long SMALL_BYTES = 8_192;

  private static final int LARGEST_TYPE = 8;

  /// A program makes the calls of a group without a pause.
  private static final long GROUP_NANOS = 10_000_000;

  private long last = -1;
  private long lastNanos = NO_TIME;

  /// Whether the last count belongs to a single, small call.
  private boolean small;

  private boolean ofAll;
  private boolean lost;

  /// The call's number, NONE or LOST. Must be called once for each call, in order.
  long next(NcclEvent.Collective call, long atNanos) {
    boolean begins = last < 0;
    if (lost || !call.ofAllRanks()) {
      lost = true;
      return LOST;
    }
    if (begins || call.opCount() == last) {
      lost = !begins && atNanos - lastNanos > GROUP_NANOS && lastNanos != NO_TIME && last > 0;
      last = call.opCount();
      lastNanos = atNanos;
      small = false;
      return lost ? LOST : NONE;
    }
    if (call.opCount() != last + 1) {
      lost = true;
      return LOST;
    }
    ofAll |= small;
    last = call.opCount();
    lastNanos = atNanos;
    small = isSmall(call);
    return last;
  }

  /// In these operations every rank gets its bytes once or twice; in others, once for each rank.
  private static boolean isSmall(NcclEvent.Collective call) {
    return switch (call.op()) {
      case "AllReduce", "Reduce", "Broadcast" -> call.count() <= SMALL_BYTES / LARGEST_TYPE;
      default -> false;
    };
  }

  Numbered numbered() {
    return ofAll ? Numbered.BY_COUNT_OF_ALL : Numbered.BY_COUNT;
  }

  boolean lost() {
    return lost;
  }
}
