package io.ringside.streams.examine;

import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Caches what one judgement asks about each process repeatedly: in a job of sixteen thousand
/// ranks, going through all edges for each rank would take too long.
public final class ProcessCache {
  /// Machine type by topology file. Azure's images name the machine in the file that describes it
  /// (`/opt/microsoft/`).
  private static final Map<String, String> BY_TOPOLOGY =
      Map.of(
          "ndv2-topo.xml", "Standard_ND40rs_v2",
          "ndv4-topo.xml", "Azure-NDv4",
          "ndv5-topo.xml", "Azure-NDv5");

  private final IdentityHashMap<TrainingProcess, List<RunEdge>> edges = new IdentityHashMap<>();
  private final IdentityHashMap<TrainingProcess, NetworkUse> networks = new IdentityHashMap<>();

  private final Map<String, List<TrainingProcess>> members = new HashMap<>();
  private final Map<String, Optional<TrainingProcess>> examples = new HashMap<>();

  /// Machine type by host, as reported by one of its processes.
  private final Map<String, String> types = new HashMap<>();

  ProcessCache(Run run, List<RunEdge> all) {
    for (var edge : all) {
      edges.computeIfAbsent(edge.printer(), _ -> new ArrayList<>()).add(edge);
    }
    for (var process : run.byRank()) {
      if (!process.instanceType().isEmpty()) {
        types.putIfAbsent(process.host(), process.instanceType());
      }
      for (var comm : process.memberships().keySet()) {
        members.computeIfAbsent(comm, _ -> new ArrayList<>()).add(process);
      }
    }
  }

  /// The processes with lines about their membership in the communicator, by global rank. Cached,
  /// because there may be thousands of communicators.
  List<TrainingProcess> members(String comm) {
    return members.getOrDefault(comm, List.of());
  }

  /// The type of the process's machine, if a process of its host reports it; else empty.
  String instanceType(TrainingProcess process) {
    if (!process.instanceType().isEmpty()) {
      return process.instanceType();
    }
    var ofHost = types.getOrDefault(process.host(), "");
    return ofHost.isEmpty() ? byTopology(process.wantedValue("NCCL_TOPO_FILE")) : ofHost;
  }

  private static String byTopology(String file) {
    return BY_TOPOLOGY.getOrDefault(file.substring(file.lastIndexOf('/') + 1), "");
  }

  /// The edges that the process's lines describe.
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

  /// Finds one process of some kind, as an example, and caches it.
  public Optional<TrainingProcess> example(
      String kind, Supplier<Optional<TrainingProcess>> search) {
    var known = examples.get(kind);
    if (known == null) {
      known = search.get();
      examples.put(kind, known);
    }
    return known;
  }
}
