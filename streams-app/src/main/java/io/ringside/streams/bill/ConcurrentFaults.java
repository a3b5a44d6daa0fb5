package io.ringside.streams.bill;

import io.ringside.streams.bill.Bill.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Corrects simultaneous faults in groups of ranks that do not meet in each round, such as groups
/// of tensor parallelism. Each fault seems to cost its group all of the group's time, but the run
/// waits only for the slowest group. So together they cost as much as the most expensive one, and
/// each gets its share.
final class ConcurrentFaults {
  private ConcurrentFaults() {}

  static List<Entry> once(List<Entry> entries) {
    var once = new ArrayList<Entry>();
    for (var entry : entries) {
      var beside = entries.stream().filter(other -> apart(entry, other)).toList();
      double most = entry.charge().saved().seconds();
      double sum = most;
      for (var other : beside) {
        most = Math.max(most, other.charge().saved().seconds());
        sum += other.charge().saved().seconds();
      }
      once.add(
          beside.isEmpty() || sum == 0
              ? entry
              : new Entry(entry.root(), entry.finding(), entry.charge().times(most / sum)));
    }
    once.sort(Comparator.comparing(entry -> entry.finding().id()));
    return once;
  }

  /// Whether both were at the same time and are known from the rounds of different communicators.
  private static boolean apart(Entry one, Entry other) {
    var a = one.charge();
    var b = other.charge();
    return !one.finding().id().equals(other.finding().id())
        && !a.comm().isEmpty()
        && !b.comm().isEmpty()
        && !a.comm().equals(b.comm())
        && a.during().meets(b.during());
  }
}
