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

/// What one judgement asks of each process again and again, found once: a job of sixteen thousand
/// ranks has no time to go through all its edges for each of them.
public final class PerProcess {
  /// Azure's images name the machine by the file that describes it (`/opt/microsoft/`).
  private static final Map<String, String> BY_TOPOLOGY =
      Map.of(
          "ndv2-topo.xml", "Standard_ND40rs_v2",
          "ndv4-topo.xml", "Azure-NDv4",
          "ndv5-topo.xml", "Azure-NDv5");

  private final IdentityHashMap<TrainingProcess, List<RunEdge>> edges = new IdentityHashMap<>();
  private final IdentityHashMap<TrainingProcess, NetworkUse> networks = new IdentityHashMap<>();

  private final Map<String, List<TrainingProcess>> members = new HashMap<>();
  private final Map<String, Optional<TrainingProcess>> examples = new HashMap<>();

  /// The machine's type by host, as one of its processes says.
  private final Map<String, String> types = new HashMap<>();

  PerProcess(Run run, List<RunEdge> all) {
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

  /// The processes of whose part in the communicator there are lines, by global rank: there may be
  /// thousands of communicators.
  List<TrainingProcess> members(String comm) {
    return members.getOrDefault(comm, List.of());
  }

  /// The type of the process's machine, if a process of its host says; empty if none does.
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

  /// A process of some kind, of whose processes one is enough.
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
