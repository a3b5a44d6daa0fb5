package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;

/// What PyTorch's watchdog of one rank said last before it gave up. Numbers are sequence numbers of the
/// process group, -1 where no line gave them.
///
/// @param group which process group's the numbers are, empty where no line said
/// @param timedOut whether this rank itself reported a timeout
/// @param sequence the work it waited for
/// @param ranMillis how long it had waited
public record Watchdog(
    boolean timedOut,
    String group,
    long sequence,
    String opType,
    long ranMillis,
    long lastEnqueued,
    long lastCompleted,
    Evidence proof) {

  /// The process group of a line such as `[PG ID 1 PG GUID 12(tp) Rank 3]  failure …`, empty if it names none.
  static String group(String line) {
    int at = line.indexOf(" PG GUID ");
    if (at < 0) {
      return "";
    }
    int from = at + " PG GUID ".length();
    int to = from;
    while (to < line.length() && line.charAt(to) != '(' && line.charAt(to) != ' ') {
      to++;
    }
    return line.substring(from, to);
  }

  /// Puts two lines of one rank together. Numbers of different groups do not mix: those of the group that
  /// timed out count, of equals those of the first line.
  Watchdog merge(Watchdog other) {
    boolean alike = group.equals(other.group) || group.isEmpty() || other.group.isEmpty();
    var first = proof.offset() <= other.proof.offset() ? this : other;
    var numbers = timedOut == other.timedOut ? first : (timedOut ? this : other);
    return new Watchdog(
        timedOut || other.timedOut,
        numbers.group.isEmpty() && alike ? group + other.group : numbers.group,
        Math.max(sequence, other.sequence),
        opType.isEmpty() ? other.opType : opType,
        Math.max(ranMillis, other.ranMillis),
        alike ? Math.max(lastEnqueued, other.lastEnqueued) : numbers.lastEnqueued,
        alike ? Math.max(lastCompleted, other.lastCompleted) : numbers.lastCompleted,
        numbers.proof);
  }
}
