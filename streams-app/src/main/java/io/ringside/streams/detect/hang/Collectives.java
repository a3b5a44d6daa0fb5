package io.ringside.streams.detect.hang;

import io.ringside.streams.job.Watchdog;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/// In which operations ranks wait, as their watchdogs say.
final class Collectives {
  private Collectives() {}

  /// Whether a rank waits in a send or a receive: its partner makes the other one, and numbers count its own calls only.
  static boolean pointToPoint(Watchdog watchdog) {
    return watchdog.opType().equals("SEND") || watchdog.opType().equals("RECV");
  }

  /// Whether all that waits, waits so.
  static boolean pointToPoint(Map<Integer, Watchdog> spoke) {
    var known = spoke.values().stream().filter(watchdog -> !watchdog.opType().isEmpty()).toList();
    return !known.isEmpty() && known.stream().allMatch(Collectives::pointToPoint);
  }

  /// Whether two ranks wait at one place of one process group in different operations. Numbers of unnamed groups may
  /// be of different ones.
  static boolean mismatch(Map<Integer, Watchdog> spoke) {
    for (var one : spoke.values()) {
      for (var other : spoke.values()) {
        if (one.timedOut()
            && other.timedOut()
            && !one.group().isEmpty()
            && one.group().equals(other.group())
            && one.sequence() >= 0
            && one.sequence() == other.sequence()
            && !one.opType().isEmpty()
            && !other.opType().isEmpty()
            && !pointToPoint(one)
            && !pointToPoint(other)
            && !one.opType().equals(other.opType())) {
          return true;
        }
      }
    }
    return false;
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
