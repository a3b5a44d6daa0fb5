package io.ringside.streams.witness.dump;

import java.util.OptionalLong;

/// Finds a call that others of the group have completed but a rank has not: its GPU failed in the
/// call, or the part of the process that watches the GPU is stuck. Both are the rank's own fault.
final class StuckCall {
  private StuckCall() {}

  /// Number of the call in which the rank is stuck, if it is.
  static OptionalLong find(RunDumps dumps, int rank, String group) {
    if (dumps.mixed(group)) {
      return OptionalLong.empty();
    }
    long first = dumps.completed(rank, group) + 1;
    if (first <= 0 || first > dumps.called(rank, group)) {
      return OptionalLong.empty();
    }
    // the root of a broadcast completes before the receivers
    if (dumps.at(rank, group, first).stream().anyMatch(call -> rooted(call.operation()))) {
      return OptionalLong.empty();
    }
    int done = 0;
    int not = 0;
    for (int member : dumps.members(group)) {
      if (dumps.of(member).isPresent()) {
        if (dumps.completed(member, group) >= first) {
          done++;
        } else {
          not++;
        }
      }
    }
    return done > 0 && not <= done ? OptionalLong.of(first) : OptionalLong.empty();
  }

  /// Whether some ranks may complete the operation before others have begun it.
  static boolean rooted(String operation) {
    return switch (operation) {
      case "broadcast", "_broadcast_oop", "reduce", "_reduce_oop", "gather", "scatter" -> true;
      default -> false;
    };
  }
}
