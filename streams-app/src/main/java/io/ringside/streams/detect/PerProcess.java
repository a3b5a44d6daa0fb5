package io.ringside.streams.detect;

import io.ringside.streams.join.job.TrainingProcess;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;

/// What one judgement asks of each process again and again, found once: a job of sixteen thousand ranks has no time to go through
/// all its edges for each of them.
public final class PerProcess {
  private final IdentityHashMap<TrainingProcess, List<RunEdge>> edges = new IdentityHashMap<>();
  private final IdentityHashMap<TrainingProcess, NetworkUse> networks = new IdentityHashMap<>();

  PerProcess(List<RunEdge> all) {
    for (var edge : all) {
      edges.computeIfAbsent(edge.printer(), _ -> new ArrayList<>()).add(edge);
    }
  }

  /// The edges of which the process's lines speak.
  List<RunEdge> edges(TrainingProcess process) {
    return edges.getOrDefault(process, List.of());
  }

  NetworkUse network(TrainingProcess process, Supplier<NetworkUse> looked) {
    var known = networks.get(process);
    if (known == null) {
      known = looked.get();
      networks.put(process, known);
    }
    return known;
  }
}
