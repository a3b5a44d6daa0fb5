package io.ringside.streams.detect.hang;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.Watchdog;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Who holds up a run that stands still: ranks that are missing in some group and wait in none. A rank that
/// waits in a small group is missing in the large one, and so is its whole group; it is a victim all the
/// same. Numbers of different groups say nothing of each other and are never compared.
final class Culprits {
  private Culprits() {}

  /// By what PyTorch's watchdogs said, and where that leaves several or none, by who made which calls.
  static Set<Integer> of(Map<Integer, Watchdog> watchdogs, Run run) {
    var told = byWatchdogs(watchdogs, run);
    if (told.size() == 1) {
      return told;
    }
    var seen = byCalls(run);
    return seen.isEmpty() || (!told.isEmpty() && !told.containsAll(seen)) ? told : seen;
  }

  private static Set<Integer> byWatchdogs(Map<Integer, Watchdog> watchdogs, Run run) {
    var groups = new TreeMap<String, Map<Integer, Watchdog>>();
    var waiting = new TreeSet<Integer>();
    watchdogs.forEach(
        (rank, watchdog) -> {
          groups.computeIfAbsent(watchdog.group(), _ -> new TreeMap<>()).put(rank, watchdog);
          if (watchdog.timedOut()) {
            waiting.add(rank);
          }
        });
    Set<Integer> fewest = Set.of();
    var missing = new TreeSet<Integer>();
    for (var group : groups.values()) {
      var behind = behind(group);
      if (!behind.isEmpty() && (fewest.isEmpty() || behind.size() < fewest.size())) {
        fewest = behind;
      }
      missing.addAll(behind);
    }
    missing.removeAll(waiting);
    if (!missing.isEmpty()) {
      return missing;
    }
    if (!fewest.isEmpty()) {
      return fewest;
    }
    var silent = new TreeSet<Integer>();
    run.byRank().forEach(process -> silent.add(run.rank(process)));
    silent.removeAll(waiting);
    silent.remove(-1);
    return silent;
  }

  /// The ranks of one group that enqueued less than others of it.
  private static Set<Integer> behind(Map<Integer, Watchdog> group) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (var watchdog : group.values()) {
      if (watchdog.lastEnqueued() >= 0) {
        least = Math.min(least, watchdog.lastEnqueued());
        most = Math.max(most, watchdog.lastEnqueued());
      }
    }
    var behind = new TreeSet<Integer>();
    if (least < most) {
      for (var entry : group.entrySet()) {
        if (entry.getValue().lastEnqueued() == least) {
          behind.add(entry.getKey());
        }
      }
    }
    return behind;
  }

  /// By who made which collective calls; empty where no call is missing.
  static Set<Integer> byCalls(Run run) {
    var missing = new TreeSet<Integer>();
    for (var comm : run.communicators()) {
      comm.rounds()
          .standstill()
          .ifPresent(standstill -> missing.addAll(global(standstill.missing(), comm, run)));
    }
    missing.removeAll(waiting(run));
    return missing;
  }

  /// Who waits in a call that others of its group have not made.
  static Set<Integer> waiting(Run run) {
    var waiting = new TreeSet<Integer>();
    for (var comm : run.communicators()) {
      comm.rounds()
          .standstill()
          .ifPresent(standstill -> waiting.addAll(global(standstill.waiting(), comm, run)));
    }
    return waiting;
  }

  private static Set<Integer> global(Collection<Integer> ranks, Communicator comm, Run run) {
    var global = new TreeSet<Integer>();
    for (int rank : ranks) {
      run.process(comm, rank).ifPresent(process -> global.add(run.rank(process)));
    }
    global.remove(-1);
    return global;
  }
}
