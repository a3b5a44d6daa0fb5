package io.ringside.streams.witness.dump;

import io.ringside.streams.parse.flightrecorder.Call;
import io.ringside.streams.parse.flightrecorder.Dump;
import io.ringside.streams.parse.flightrecorder.Group;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The dumps of a run, one for each rank, by rank and group.
final class RunDumps {
  private final Map<Integer, Dump> byRank = new TreeMap<>();
  private final Map<String, Group> groups = new LinkedHashMap<>();
  private final Set<String> mixed = new HashSet<>();
  private final Map<Integer, Map<String, List<Call>>> calls = new HashMap<>();
  private final Map<Integer, Map<String, Group>> status = new HashMap<>();

  /// Found once for each rank and group: a verdict compares each rank with each other.
  private final Map<Integer, Map<String, Long>> called = new HashMap<>();

  private final Map<Integer, Map<String, Long>> completed = new HashMap<>();

  RunDumps(Collection<Dump> dumps) {
    for (var dump : dumps) {
      if (dump.rank() >= 0) {
        byRank.merge(dump.rank(), dump, (a, b) -> a.lastNanos() >= b.lastNanos() ? a : b);
      }
    }
    byRank.forEach(this::index);
  }

  private void index(int rank, Dump dump) {
    var ofRank = status.computeIfAbsent(rank, _ -> new HashMap<>());
    for (var group : dump.groups()) {
      var key = group.key();
      groups.putIfAbsent(key, group);
      ofRank.putIfAbsent(key, group);
    }
    var byGroup = calls.computeIfAbsent(rank, _ -> new HashMap<>());
    for (var call : dump.calls()) {
      byGroup.computeIfAbsent(call.group(), _ -> new ArrayList<>()).add(call);
      if (call.p2p()) {
        mixed.add(call.group());
      }
    }
  }

  Collection<Dump> all() {
    return byRank.values();
  }

  Set<Integer> ranks() {
    return byRank.keySet();
  }

  Optional<Dump> of(int rank) {
    return Optional.ofNullable(byRank.get(rank));
  }

  Collection<String> groups() {
    return groups.keySet();
  }

  /// The group as text.
  String words(String group) {
    var known = groups.get(group);
    return known == null ? group : known.words();
  }

  /// Global ranks of a group; if they are not listed, the ranks whose dumps know the group.
  Set<Integer> members(String group) {
    var known = groups.get(group);
    if (known != null && !known.ranks().isEmpty()) {
      return new TreeSet<>(known.ranks());
    }
    var seen = new TreeSet<Integer>();
    status.forEach(
        (rank, ofRank) -> {
          if (ofRank.containsKey(group)) {
            seen.add(rank);
          }
        });
    return seen;
  }

  /// The global rank of a group's rank, -1 if unknown.
  int global(String group, int local) {
    var known = groups.get(group);
    return known == null ? -1 : known.ranks().isEmpty() ? local : known.global(local);
  }

  /// All ranks with a dump or named by a group.
  Set<Integer> world() {
    var world = new TreeSet<>(byRank.keySet());
    groups.values().forEach(group -> world.addAll(group.ranks()));
    return world;
  }

  /// The group's calls in the rank's buffer, in calling order.
  List<Call> calls(int rank, String group) {
    return calls.getOrDefault(rank, Map.of()).getOrDefault(group, List.of());
  }

  /// Whether the group has Sends and Recvs: its status then counts both kinds, and only entries
  /// distinguish them.
  boolean mixed(String group) {
    return mixed.contains(group);
  }

  /// Number of the last collective that the rank has called in the group, -1 if unknown.
  long called(int rank, String group) {
    return called
        .computeIfAbsent(rank, _ -> new HashMap<>())
        .computeIfAbsent(group, _ -> lastCalled(rank, group));
  }

  private long lastCalled(int rank, String group) {
    long seen = calls(rank, group).stream().mapToLong(Call::collective).max().orElse(-1);
    return mixed(group)
        ? seen
        : Math.max(seen, status(rank, group).map(Group::enqueued).orElse(-1L));
  }

  /// Number of the last collective that the rank has completed in the group, -1 if unknown.
  long completed(int rank, String group) {
    return completed
        .computeIfAbsent(rank, _ -> new HashMap<>())
        .computeIfAbsent(group, _ -> lastCompleted(rank, group));
  }

  private long lastCompleted(int rank, String group) {
    var pending =
        calls(rank, group).stream()
            .filter(call -> !call.p2p() && call.pending())
            .mapToLong(Call::collective)
            .min();
    if (pending.isPresent()) {
      return pending.getAsLong() - 1;
    }
    return mixed(group)
        ? called(rank, group)
        : status(rank, group).map(Group::completed).orElse(called(rank, group));
  }

  /// The group's status as reported by the rank.
  Optional<Group> status(int rank, String group) {
    return Optional.ofNullable(status.getOrDefault(rank, Map.of()).get(group));
  }

  /// The rank's collective calls with this number: several if they were coalesced.
  List<Call> at(int rank, String group, long number) {
    return calls(rank, group).stream()
        .filter(call -> !call.p2p() && call.collective() == number)
        .toList();
  }

  /// The calls in which the rank waits, oldest first.
  List<Call> pending(int rank) {
    return of(rank).stream()
        .flatMap(dump -> dump.calls().stream())
        .filter(Call::pending)
        .sorted(Comparator.comparingLong(Call::record))
        .toList();
  }

  /// Groups in which the rank waits although no entry shows the call, because its buffer holds too
  /// little.
  List<Group> pendingUnseen(int rank) {
    return of(rank).stream()
        .flatMap(dump -> dump.groups().stream())
        .filter(
            group ->
                !mixed(group.key())
                    && group.completed() >= 0
                    && group.enqueued() > group.completed()
                    && calls(rank, group.key()).stream().noneMatch(Call::pending))
        .toList();
  }
}
