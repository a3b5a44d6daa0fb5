package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.examine.Exchanges;
import io.ringside.streams.examine.Ranks;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.Watchdog;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Who holds up a run that stands still: ranks that are missing in some group and wait in none. A
/// rank that waits in a small group is missing in the large one, and so is its whole group; it is a
/// victim all the same. Numbers of different groups say nothing of each other and are never
/// compared.
final class Culprits {
  private static final long MILLI = 1_000_000;

  private static final long MUCH_LATER = 10 * 60 * 1000 * MILLI;

  /// So many time-outs are no excerpt.
  private static final int MANY = 7;

  private Culprits() {}

  /// By what PyTorch's watchdogs said, and where that leaves several or none, by who made which
  /// calls.
  static Set<Integer> of(Map<Integer, Watchdog> watchdogs, Run run) {
    var told = byWatchdogs(watchdogs, run);
    if (told.size() == 1) {
      return told;
    }
    var seen = byCalls(run);
    return seen.isEmpty() || (!told.isEmpty() && !told.containsAll(seen)) ? told : seen;
  }

  /// By what PyTorch's watchdogs said alone.
  static Set<Integer> byWatchdogs(Map<Integer, Watchdog> watchdogs, Run run) {
    if (!run.lagging().isEmpty()) {
      return run.lagging();
    }
    var groups = new TreeMap<String, Map<Integer, Watchdog>>();
    var waiting = new TreeSet<Integer>();
    watchdogs.forEach(
        (rank, watchdog) -> {
          groups.computeIfAbsent(watchdog.group(), _ -> new TreeMap<>()).put(rank, watchdog);
          if (watchdog.timedOut()) {
            waiting.add(rank);
          }
        });
    var missing = new TreeSet<Integer>();
    for (var group : groups.values()) {
      missing.addAll(missing(group));
    }
    missing.removeAll(waiting);
    missing.remove(-1);
    if (missing.size() > 1 && missing.size() + 1 >= Math.max(run.nranks(), watchdogs.size())) {
      // One waits in a call that no other made: it may as well be the one that is wrong.
      return Set.of();
    }
    if (!missing.isEmpty()) {
      return missing;
    }
    var silent = silent(waiting, run);
    if (!silent.isEmpty()) {
      return silent;
    }
    var left = leftOut(waiting);
    if (!left.isEmpty()) {
      return left;
    }
    // everybody waits: somebody for another call than all others, or for an earlier one
    for (var group : groups.values()) {
      var apart = apart(group);
      if (!apart.isEmpty()) {
        return apart;
      }
      var behind = behind(group, run);
      if (!behind.isEmpty()) {
        return behind;
      }
    }
    return late(watchdogs);
  }

  /// The ranks of a whole world that wait in a call which the others are through with, and by their
  /// own word had made no later one, as long as they are not most. Of a few ranks of an unknown
  /// number nobody knows whom the rest stands by.
  private static Set<Integer> behind(Map<Integer, Watchdog> group, Run run) {
    if (!run.hasWorld() || group.size() < run.nranks()) {
      return Set.of();
    }
    long most =
        group.values().stream()
            .filter(watchdog -> watchdog.timedOut() && !Collectives.pointToPoint(watchdog))
            .mapToLong(Watchdog::sequence)
            .max()
            .orElse(-1);
    var behind = new TreeSet<Integer>();
    group.forEach(
        (rank, watchdog) -> {
          if (watchdog.lastEnqueued() >= 0 && watchdog.lastEnqueued() < most) {
            behind.add(rank);
          }
        });
    boolean othersStandTogether =
        group.entrySet().stream()
            .filter(rank -> !behind.contains(rank.getKey()))
            .allMatch(rank -> rank.getValue().sequence() == most);
    return othersStandTogether && 2 * behind.size() <= group.size() ? behind : Set.of();
  }

  /// Ranks that made the call they wait in after another's had timed out, as long as they are few:
  /// they held up the others before.
  static Set<Integer> late(Map<Integer, Watchdog> watchdogs) {
    long timedOut = Long.MAX_VALUE;
    for (var watchdog : watchdogs.values()) {
      if (watchdog.beganNanos() != NO_TIME) {
        timedOut = Math.min(timedOut, watchdog.beganNanos() + watchdog.ranMillis() * MILLI);
      }
    }
    var late = new TreeSet<Integer>();
    for (var entry : watchdogs.entrySet()) {
      long began = entry.getValue().beganNanos();
      // clocks of other zones differ by more
      if (began != NO_TIME && began > timedOut && began - timedOut < MUCH_LATER) {
        late.add(entry.getKey());
      }
    }
    late.remove(-1);
    return 2 * late.size() <= watchdogs.size() ? late : Set.of();
  }

  /// The ranks of one group that never called what others of it wait in.
  private static Set<Integer> missing(Map<Integer, Watchdog> group) {
    long awaited =
        group.values().stream()
            .filter(Watchdog::timedOut)
            .filter(watchdog -> !Collectives.pointToPoint(watchdog))
            .mapToLong(Watchdog::sequence)
            .max()
            .orElse(-1);
    var missing = new TreeSet<Integer>();
    group.forEach(
        (rank, watchdog) -> {
          if (!watchdog.timedOut()
              && watchdog.lastEnqueued() >= 0
              && watchdog.lastEnqueued() < awaited) {
            missing.add(rank);
          }
        });
    return missing;
  }

  /// Ranks that print, and reported no time-out while most others did: they died, were stopped, or
  /// stand in their own code. Of an excerpt that shows only a few time-outs nothing is known of the
  /// rest.
  private static Set<Integer> silent(Set<Integer> waiting, Run run) {
    var silent = new TreeSet<Integer>();
    run.byRank().forEach(process -> silent.add(run.rank(process)));
    for (var sign : run.failures().signs()) {
      if (sign.event() instanceof FailureEvent.Raised raised) {
        silent.add(raised.rank());
      }
    }
    silent.removeAll(waiting);
    silent.remove(-1);
    boolean all = silent.size() == 1 && waiting.size() + 1 == run.nranks();
    return all || silent.size() < waiting.size() ? silent : Set.of();
  }

  /// The one rank among many that reported no time-out, where no line tells how many there are.
  private static Set<Integer> leftOut(Set<Integer> waiting) {
    if (waiting.size() < MANY) {
      return Set.of();
    }
    var left = new TreeSet<Integer>();
    for (int rank = 0; rank < Collections.max(waiting) && left.size() < 2; rank++) {
      if (!waiting.contains(rank)) {
        left.add(rank);
      }
    }
    return left.size() == 1 ? left : Set.of();
  }

  /// The few ranks of a group that wait for another operation than most, or for an earlier call.
  private static Set<Integer> apart(Map<Integer, Watchdog> group) {
    var byCall = new HashMap<String, Set<Integer>>();
    group.forEach(
        (rank, watchdog) -> {
          if (watchdog.timedOut()
              && watchdog.sequence() >= 0
              && !watchdog.group().isEmpty()
              && !Collectives.pointToPoint(watchdog)) {
            byCall
                .computeIfAbsent(
                    watchdog.sequence() + " " + watchdog.opType(), _ -> new TreeSet<>())
                .add(rank);
          }
        });
    if (byCall.size() != 2) {
      return Set.of();
    }
    var sides = new ArrayList<>(byCall.values());
    sides.sort(Comparator.comparingInt(Set::size));
    return sides.getFirst().size() * 2 < sides.getLast().size() ? sides.getFirst() : Set.of();
  }

  /// By who made which calls; empty where no call is missing.
  static Set<Integer> byCalls(Run run) {
    var missing = new TreeSet<Integer>();
    for (var comm : run.communicators()) {
      comm.rounds()
          .standstill()
          .ifPresent(standstill -> missing.addAll(run.ranks(comm, standstill.missing())));
    }
    missing.addAll(Exchanges.of(run).missing());
    missing.removeAll(waiting(run));
    return missing;
  }

  /// Who called another operation than most just before the run fell silent; nobody where no side
  /// is smaller.
  static Optional<Set<Integer>> disagreeing(Run run) {
    for (var comm : run.communicators()) {
      var apart = comm.rounds().disagreement();
      if (apart.isPresent()) {
        return apart.map(ranks -> run.ranks(comm, ranks));
      }
    }
    return Optional.empty();
  }

  /// What arrivals say of them.
  static String missed(Set<Integer> culprits) {
    return Ranks.words(culprits) + " did not make the call that the others wait in";
  }

  /// Who waits in a call that others of its group have not made.
  static Set<Integer> waiting(Run run) {
    var waiting = new TreeSet<Integer>();
    for (var comm : run.communicators()) {
      comm.rounds()
          .standstill()
          .ifPresent(standstill -> waiting.addAll(run.ranks(comm, standstill.waiting())));
    }
    waiting.addAll(Exchanges.of(run).waiting());
    return waiting;
  }
}
