package io.ringside.streams.detect.straggler;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Distinguishes ranks with more work because of their place in a group from slow machines.
///
/// A job's ranks are divided into groups of the same shape, and ranks with the same place in each
/// group do the same work. The last rank of each context group has the most attention under a
/// causal mask, the first stage of each pipeline the embedding. If from the first steps on exactly
/// the ranks with one place in all groups are late, the work is the reason. The ranks of a host
/// also share a place in the groups across hosts, and their host may be slow, so they stay
/// suspects.
final class GroupPositions {
  private GroupPositions() {}

  /// Whether the place in the groups explains the late ranks.
  ///
  /// @param together delays of ranks that were late together
  static boolean explain(List<Delay> together, Run run) {
    var late = new HashSet<Integer>();
    for (var delay : together) {
      if (delay.streak().provesDelay()) {
        return false;
      }
      late.add(delay.rank());
    }
    return late.size() > 1
        && !wholeHosts(together, run)
        && families(run).stream().anyMatch(family -> sharePlace(late, family));
  }

  /// Whether all late ranks exchange data with each other in Sends and Recvs only, as groups of
  /// experts and pipelines do. One late rank there makes the others late elsewhere, and need not be
  /// among the ranks that stand out.
  static boolean exchange(List<Delay> together, Run run) {
    var late = new HashSet<Integer>();
    together.forEach(delay -> late.add(delay.rank()));
    return late.size() > 1
        && run.communicators().stream()
            .filter(comm -> comm.nranks() >= late.size() && comm.nranks() < run.nranks())
            .filter(comm -> comm.rounds().completed() == 0 && exchanges(comm, run))
            .anyMatch(comm -> ranks(comm, run).containsAll(late));
  }

  private static boolean exchanges(Communicator comm, Run run) {
    return run.members(comm).values().stream()
        .map(process -> process.memberships().get(comm.id()))
        .anyMatch(membership -> membership != null && !membership.posted().isEmpty());
  }

  /// @param family groups of one shape, each with its global ranks in the group's order
  static boolean sharePlace(Set<Integer> late, List<List<Integer>> family) {
    var places = new HashSet<Integer>();
    for (var group : family) {
      var here = group.stream().filter(late::contains).toList();
      if (here.size() != 1) {
        return false;
      }
      places.add(group.indexOf(here.getFirst()));
    }
    return places.size() == 1 && family.size() == late.size();
  }

  /// Whether the late ranks are all ranks of some hosts.
  static boolean wholeHosts(List<Delay> together, Run run) {
    var late = new HashSet<Integer>();
    var hosts = new HashSet<String>();
    for (var delay : together) {
      late.add(delay.rank());
      hosts.add(delay.process().hostId());
    }
    return run.processes().stream()
        .filter(process -> hosts.contains(process.hostId()))
        .allMatch(process -> late.contains(run.rank(process)));
  }

  /// The communicators by shape: those with the same size and the same distances between their
  /// ranks.
  private static Collection<List<List<Integer>>> families(Run run) {
    Map<List<Integer>, List<List<Integer>>> families = new HashMap<>();
    for (var comm : run.communicators()) {
      var ranks = ranks(comm, run);
      if (ranks.size() > 1 && comm.nranks() < run.nranks()) {
        int first = ranks.getFirst();
        var shape = ranks.stream().map(rank -> rank - first).toList();
        families.computeIfAbsent(shape, _ -> new ArrayList<>()).add(ranks);
      }
    }
    return families.values();
  }

  /// Global ranks in the communicator's order; empty if some have no lines.
  static List<Integer> ranks(Communicator comm, Run run) {
    var ranks = new ArrayList<Integer>();
    for (int rank = 0; rank < comm.nranks(); rank++) {
      var process = run.process(comm, rank);
      if (process.isEmpty()) {
        return List.of();
      }
      ranks.add(run.rank(process.get()));
    }
    return ranks;
  }
}
