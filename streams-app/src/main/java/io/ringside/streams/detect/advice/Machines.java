package io.ringside.streams.detect.advice;

import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.Transport;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The machines of a run: how many ranks each has, which of them are known to be different
/// machines, and which have linked GPUs.
///
/// @param ranks number of ranks by machine
/// @param gpus PCI bus ids by machine
/// @param known machines whose name comes from an agent
/// @param linked machines on which ranks communicate over P2P
record Machines(
    Map<String, Integer> ranks,
    Map<String, Set<String>> gpus,
    Set<String> known,
    Set<String> linked) {

  static Machines of(Examination examination) {
    var ranks = new HashMap<String, Integer>();
    var gpus = new HashMap<String, Set<String>>();
    var known = new HashSet<String>();
    var linked = new HashSet<String>();
    for (var process : examination.run().processes()) {
      ranks.merge(process.node(), 1, Integer::sum);
      if (process.busId() != null) {
        gpus.computeIfAbsent(process.node(), _ -> new HashSet<>()).add(process.busId());
      }
      if (process.source().nodeKnown()) {
        known.add(process.node());
      }
    }
    for (var edge : examination.edges()) {
      if (edge.transport() instanceof Transport.P2p) {
        switch (edge.reach()) {
          case INTRA_POD, INTRA_NODE -> linked.add(edge.printer().node());
          // NVLink joins these machines (MNNVL): placing a group on one machine gains nothing
          case INTER_POD, INTER_NODE -> {
            return new Machines(ranks, gpus, known, Set.of());
          }
        }
      }
    }
    return new Machines(ranks, gpus, known, linked);
  }

  /// Whether the group lies on several machines, each of which has enough ranks for the whole group
  /// and has linked GPUs.
  boolean split(Collection<TrainingProcess> group) {
    var on = group.stream().map(TrainingProcess::node).distinct().sorted().toList();
    return on.size() > 1
        && on.stream()
            .allMatch(each -> linked.contains(each) && ranks.getOrDefault(each, 0) >= group.size())
        && different(on);
  }

  /// Whether the machines have room for this many groups of this size, each within one machine.
  /// Example: of three groups of four ranks on two machines with six ranks each, one group must be
  /// split.
  boolean hold(long groups, int size) {
    return ranks.values().stream().mapToLong(each -> each / size).sum() >= groups;
  }

  /// Whether these are really different machines. Pods without a known machine name may run on the
  /// same machine; the same PCI bus id in two pods proves that they do not.
  private boolean different(List<String> machines) {
    for (int i = 0; i < machines.size(); i++) {
      for (int j = i + 1; j < machines.size(); j++) {
        var one = machines.get(i);
        var other = machines.get(j);
        boolean both = known.contains(one) && known.contains(other);
        if (!both && !shareBusId(one, other)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean shareBusId(String one, String other) {
    var shared = new HashSet<>(gpus.getOrDefault(one, Set.of()));
    shared.retainAll(gpus.getOrDefault(other, Set.of()));
    return !shared.isEmpty();
  }
}
