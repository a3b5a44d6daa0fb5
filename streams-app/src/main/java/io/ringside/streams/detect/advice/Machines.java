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

/// The machines of a run: how many of its ranks each has, which of them are known to be different,
/// and which link their GPUs.
///
/// @param ranks by machine
/// @param gpus bus ids by machine
/// @param known whether an agent names it
/// @param linked whether ranks there talk directly
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
          // NVLink joins these machines (MNNVL): nothing is gained within one
          case INTER_POD, INTER_NODE -> {
            return new Machines(ranks, gpus, known, Set.of());
          }
        }
      }
    }
    return new Machines(ranks, gpus, known, linked);
  }

  /// Whether these lie on several machines, each of which has as many ranks and links them.
  boolean split(Collection<TrainingProcess> group) {
    var on = group.stream().map(TrainingProcess::node).distinct().sorted().toList();
    return on.size() > 1
        && on.stream()
            .allMatch(each -> linked.contains(each) && ranks.getOrDefault(each, 0) >= group.size())
        && different(on);
  }

  /// Whether there is room for so many groups of so many ranks within machines: of three groups of
  /// four on two machines of six one is split anyhow.
  boolean hold(long groups, int size) {
    return ranks.values().stream().mapToLong(each -> each / size).sum() >= groups;
  }

  /// Pods that nobody names a machine for may be on one. The same bus id on two says that they are
  /// not.
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
