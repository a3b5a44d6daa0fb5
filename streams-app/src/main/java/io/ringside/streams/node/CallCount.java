package io.ringside.streams.node;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.fact.Arrivals.Numbered;
import io.ringside.streams.parse.event.NcclEvent;

/// Whether NCCL's `opCount` numbers a process's calls on a communicator, of which it is not known
/// how many it made before. All calls of a group print the count before it (src/enqueue.cc), so a
/// group is one number, that of its first call.
final class CallCount {
  /// The call has no number of its own: it is of a group, or the first that is seen, whose group
  /// may have begun before.
  static final long NONE = -1;

  /// Calls have no numbers from here on.
  static final long LOST = -2;

  /// So many bytes go over one channel (32 KiB do, src/enqueue.cc, 2.27 and later), which leaves a
  /// host by one rank and enters it by another: where it is counted by more than two, it is by all.
  private static final long SMALL_BYTES = 8_192;

  private static final int LARGEST_TYPE = 8;

  /// A program makes the calls of a group without a pause.
  private static final long GROUP_NANOS = 10_000_000;

  private long last = -1;
  private long lastNanos = NO_TIME;

  /// Whether the last count is of one call, a small one.
  private boolean small;

  private boolean ofAll;
  private boolean lost;

  /// The call's number, NONE or LOST. To be asked once for each call, in order.
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

  /// Of these every rank gets its bytes once or twice; of others as many times as there are ranks.
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
