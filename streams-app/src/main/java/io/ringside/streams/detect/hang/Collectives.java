package io.ringside.streams.detect.hang;

import io.ringside.streams.job.Watchdog;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;

/// The operations in which ranks wait, according to their watchdogs' lines.
final class Collectives {
  /// From this sequence number on, different groups do not have the same number by chance.
  private static final long NO_ACCIDENT = 100;

  /// At least this many ranks that wait at the same sequence number wait in the same call.
  private static final int SEVERAL = 4;

  private Collectives() {}

  /// Whether a rank waits in a send or a receive. Its partner makes the opposite call, and sequence
  /// numbers count the rank's own calls only.
  static boolean pointToPoint(Watchdog watchdog) {
    return watchdog.opType().equals("SEND") || watchdog.opType().equals("RECV");
  }

  /// Whether all known waits are in sends or receives.
  static boolean pointToPoint(Map<Integer, Watchdog> spoke) {
    var known = spoke.values().stream().filter(watchdog -> !watchdog.opType().isEmpty()).toList();
    return !known.isEmpty() && known.stream().allMatch(Collectives::pointToPoint);
  }

  /// Whether two ranks wait at the same sequence number of one process group in different
  /// operations. Numbers of unnamed groups (before PyTorch 2.4) may belong to different groups,
  /// unless all waiting ranks have the same number.
  static boolean mismatch(Map<Integer, Watchdog> spoke) {
    return anyTwo(spoke, (one, other) -> one.sequence() == other.sequence());
  }

  /// Whether two ranks wait in different operations of one process group at different sequence
  /// numbers. They may still have made the same calls: the root of a broadcast completes it before
  /// the others.
  static boolean apart(Map<Integer, Watchdog> spoke) {
    return anyTwo(spoke, (one, other) -> one.sequence() != other.sequence());
  }

  /// A call in which a rank waits.
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
