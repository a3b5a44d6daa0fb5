package io.ringside.streams.detect.hang;

import io.ringside.streams.job.Watchdog;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;

/// In which operations ranks wait, as their watchdogs say.
final class Collectives {
  /// Groups that differ do not happen to have made as many calls, once they have made many.
  private static final long NO_ACCIDENT = 100;

  /// So many ranks that wait at one number wait in one call.
  private static final int SEVERAL = 4;

  private Collectives() {}

  /// Whether a rank waits in a send or a receive: its partner makes the other one, and numbers
  /// count its own calls only.
  static boolean pointToPoint(Watchdog watchdog) {
    return watchdog.opType().equals("SEND") || watchdog.opType().equals("RECV");
  }

  /// Whether all that waits, waits so.
  static boolean pointToPoint(Map<Integer, Watchdog> spoke) {
    var known = spoke.values().stream().filter(watchdog -> !watchdog.opType().isEmpty()).toList();
    return !known.isEmpty() && known.stream().allMatch(Collectives::pointToPoint);
  }

  /// Whether two ranks wait at one place of one process group in different operations. Numbers of
  /// unnamed groups (before PyTorch 2.4) may be of different ones, unless all that wait, wait at
  /// one number.
  static boolean mismatch(Map<Integer, Watchdog> spoke) {
    return anyTwo(spoke, (one, other) -> one.sequence() == other.sequence());
  }

  /// Whether two ranks wait in different operations of one process group at different places. They
  /// may have made the same calls all the same: a root is through with its broadcast before the
  /// others.
  static boolean apart(Map<Integer, Watchdog> spoke) {
    return anyTwo(spoke, (one, other) -> one.sequence() != other.sequence());
  }

  /// A call that somebody waits in.
  private record Call(String group, long sequence, String operation) {}

  private static boolean anyTwo(Map<Integer, Watchdog> spoke, BiPredicate<Call, Call> which) {
    boolean one = atOneNumber(spoke);
    var calls =
        spoke.values().stream()
            .filter(watchdog -> watchdog.timedOut() && !pointToPoint(watchdog))
            .map(it -> new Call(it.group(), it.sequence(), it.opType()))
            .filter(call -> !call.group().isEmpty() || one)
            .filter(call -> !call.operation().isEmpty() && call.sequence() >= 0)
            .distinct()
            .toList();
    return calls.stream()
        .anyMatch(
            call ->
                calls.stream()
                    .filter(other -> call.group().equals(other.group()))
                    .filter(other -> !call.operation().equals(other.operation()))
                    .anyMatch(other -> which.test(call, other)));
  }

  private static boolean atOneNumber(Map<Integer, Watchdog> spoke) {
    var numbers =
        spoke.values().stream()
            .filter(watchdog -> watchdog.timedOut() && !pointToPoint(watchdog))
            .map(Watchdog::sequence)
            .toList();
    return numbers.size() >= SEVERAL
        && numbers.stream().allMatch(number -> number >= NO_ACCIDENT)
        && numbers.stream().distinct().count() == 1;
  }

  static String of(Set<Integer> ranks, Map<Integer, Watchdog> spoke) {
    return names(spoke, ranks::contains);
  }

  static String ofOthers(Set<Integer> ranks, Map<Integer, Watchdog> spoke) {
    return names(spoke, rank -> !ranks.contains(rank));
  }

  static String all(Map<Integer, Watchdog> spoke) {
    return names(spoke, _ -> true);
  }

  private static String names(Map<Integer, Watchdog> spoke, IntPredicate which) {
    var names = new TreeSet<String>();
    spoke.forEach(
        (rank, watchdog) -> {
          if (which.test(rank) && !watchdog.opType().isEmpty()) {
            names.add(watchdog.opType());
          }
        });
    return String.join(", ", names);
  }
}
