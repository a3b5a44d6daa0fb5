package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.UnmatchedTransfers;
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

/// Finds the ranks that hold up a hanging run: ranks that are missing in some group and wait in
/// none. A rank that waits in a small group is missing in the large one, as is its whole group, but
/// it is a victim. Sequence numbers of different groups are unrelated and are never compared.
final class Culprits {
  private static final long MILLI = 1_000_000;

  private static final long MUCH_LATER = 10 * 60 * 1000 * MILLI;

  /// At least this many time-outs are no excerpt of a log.
  private static final int MANY = 7;

  private Culprits() {}

  /// The culprits according to PyTorch's watchdogs. If these leave several ranks or none, according
  /// to which rank made which calls.
  static Set<Integer> of(Map<Integer, Watchdog> watchdogs, Run run) {
    var shifted = shifted(run);
    if (!shifted.isEmpty()) {
      return shifted;
    }
    var told = byWatchdogs(watchdogs, run);
    if (told.size() == 1) {
      return told;
    }
    var seen = byCalls(run);
    return seen.isEmpty() || (!told.isEmpty() && !told.containsAll(seen)) ? told : seen;
  }

  /// The culprits according to PyTorch's watchdogs only.
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
      // One rank waits in a call that no other rank made: it may itself be the wrong one.
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
    // all ranks wait: some for another call than the others, or for an earlier one
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

  /// The ranks of a complete world that wait in a call which the others have completed, and that by
  /// their own reports had made no later call; empty if they are more than half. If only a few
  /// ranks of an unknown number are seen, it is not known which side the rest is on.
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

  /// Ranks that made the call they wait in after another rank's call had timed out, if they are
  /// few. They held up the others before.
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
      // clocks of different time zones differ by more
      if (began != NO_TIME && began > timedOut && began - timedOut < MUCH_LATER) {
        late.add(entry.getKey());
      }
    }
    late.remove(-1);
    return 2 * late.size() <= watchdogs.size() ? late : Set.of();
  }

  /// The ranks of one group that never made the call in which other ranks of the group wait.
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

  /// Ranks that have lines but reported no time-out while most others did: they died, were stopped,
  /// or are stuck in their own code. An excerpt with only a few time-outs shows nothing about the
  /// other ranks.
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

  /// The only rank among many that reported no time-out, if no line shows the number of ranks.
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

  /// The few ranks of a group that wait in another operation than most, or in an earlier call.
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

  /// The culprits according to which rank made which calls; empty if no call is missing.
  static Set<Integer> byCalls(Run run) {
    var missing = new TreeSet<Integer>();
    for (var comm : run.communicators()) {
      comm.rounds()
          .standstill()
          .ifPresent(standstill -> missing.addAll(run.ranks(comm, standstill.missing())));
    }
    missing.addAll(UnmatchedTransfers.of(run).missing());
    missing.removeAll(waiting(run));
    return missing;
  }

  /// The ranks that made a call which no other rank made, as their calls since then show; empty if
  /// there are none.
  static Set<Integer> shifted(Run run) {
    for (var comm : run.communicators()) {
      var shifted = comm.rounds().shifted();
      if (!shifted.isEmpty()) {
        return run.ranks(comm, shifted);
      }
    }
    return Set.of();
  }

  /// The words about them.
  static String ownCall(Set<Integer> shifted) {
    return RankText.words(shifted) + " made a call that no other rank made";
  }

  /// The ranks that called another operation than most just before the run fell silent; an empty
  /// set if neither side is smaller.
  static Optional<Set<Integer>> disagreeing(Run run) {
    for (var comm : run.communicators()) {
      var apart = comm.rounds().disagreement();
      if (apart.isPresent()) {
        return apart.map(ranks -> run.ranks(comm, ranks));
      }
    }
    return Optional.empty();
  }

  /// The words about them that follow from arrival times.
  static String missed(Set<Integer> culprits) {
    return RankText.words(culprits) + " did not make the call that the others wait in";
  }

  /// The ranks that wait in a call that others of their group have not made.
  static Set<Integer> waiting(Run run) {
    var waiting = new TreeSet<Integer>();
    for (var comm : run.communicators()) {
      comm.rounds()
          .standstill()
          .ifPresent(standstill -> waiting.addAll(run.ranks(comm, standstill.waiting())));
    }
    waiting.addAll(UnmatchedTransfers.of(run).waiting());
    return waiting;
  }
}
