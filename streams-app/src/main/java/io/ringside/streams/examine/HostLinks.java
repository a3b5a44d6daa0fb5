package io.ringside.streams.examine;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.RunSummary.Links;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.MachinePaths.Ways;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.Membership.Searched;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.NcclEvent.GraphPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// How the GPUs of one host are linked, according to the topology search that NCCL prints (GRAPH).
///
/// @param processes the host's processes, by rank
/// @param teller the first process that prints the search
/// @param links bandwidths of a typical GPU, and the rings of the world communicator
/// @param proofs lines that show the links
public record HostLinks(
    List<TrainingProcess> processes,
    TrainingProcess teller,
    Set<String> gpus,
    Links links,
    List<Evidence> proofs) {
  /// Prefix of a network card's name in the machine's tree.
  public static final String NIC = "NIC/";

  public static final String SLOWER_SLOT =
      "a slot, riser or switch that trained to fewer lanes or a lower generation";

  private static final int RING = 4;

  /// Prefixes of variables that NCCL's topology search does not read.
  private static final List<String> NOT_OF_THE_SEARCH =
      List.of(
          "NCCL_DEBUG",
          "NCCL_SOCKET_",
          "NCCL_OOB_",
          "NCCL_RAS_",
          "NCCL_HOSTID",
          "NCCL_COMM_ID",
          "NCCL_TOPO_DUMP",
          "NCCL_IB_GID",
          "NCCL_IB_ADDR",
          "NCCL_IB_PKEY");

  /// What two hosts must have in common to be compared.
  ///
  /// @param variables the values that the host's processes have, by variable name
  public record Likeness(
      String type,
      String model,
      String ncclVersion,
      int localRanks,
      Set<String> gpus,
      List<String> hcas,
      int nics,
      Map<String, Set<String>> variables) {}

  /// The hosts of the run whose lines print the search.
  public static List<HostLinks> of(Examination examination) {
    var byHost = new LinkedHashMap<String, List<TrainingProcess>>();
    for (var process : examination.run().byRank()) {
      byHost.computeIfAbsent(process.hostId(), _ -> new ArrayList<>()).add(process);
    }
    var world = examination.run().world().map(Communicator::id).orElse("");
    var hosts = new ArrayList<HostLinks>();
    for (var processes : byHost.values()) {
      var host = of(processes, world);
      if (host != null) {
        hosts.add(host);
      }
    }
    return hosts;
  }

  private static @Nullable HostLinks of(List<TrainingProcess> processes, String world) {
    TrainingProcess teller = null;
    Searched ring = null;
    for (var process : processes) {
      if (teller == null && !(process.ways().isEmpty() && process.slots().isEmpty())) {
        teller = process;
      }
      var membership = process.memberships().get(world);
      if (ring == null && membership != null) {
        ring = membership.searched().get(RING);
      }
    }
    if (teller == null && ring == null) {
      return null;
    }
    var first = teller == null ? processes.getFirst() : teller;
    var nvlink = new TreeMap<String, Double>();
    first
        .ways()
        .forEach(
            (gpu, ways) -> {
              double width = nvlink(gpu, ways);
              if (width > 0) {
                nvlink.put(gpu, width);
              }
            });
    var slots = slots(first);
    var gpus = new TreeSet<>(slots.keySet());
    gpus.addAll(first.ways().keySet());
    if (gpus.isEmpty()) {
      processes.forEach(process -> gpus.add(String.valueOf(process.busId())));
    }
    var graph = ring == null ? null : ring.graph();
    return new HostLinks(
        processes,
        first,
        gpus,
        new Links(
            gpus.size(),
            median(nvlink.values()),
            median(slots.values()),
            graph == null ? 0 : graph.channels(),
            graph == null ? 0 : graph.bwIntraGBps(),
            graph == null ? "" : graph.typeIntra()),
        proofs(first, nvlink.keySet(), slots.keySet(), ring));
  }

  private static List<Evidence> proofs(
      TrainingProcess teller, Set<String> linked, Set<String> slots, @Nullable Searched ring) {
    var lines = new ArrayList<Evidence>();
    linked.stream()
        .map(teller.ways()::get)
        .filter(ways -> ways != null)
        .limit(1)
        .forEach(ways -> lines.add(ways.proof()));
    slots.stream()
        .map(teller.slots()::get)
        .filter(slot -> slot != null)
        .limit(1)
        .forEach(slot -> lines.add(slot.proof()));
    if (ring != null) {
      lines.add(ring.proof());
    }
    return lines;
  }

  /// Total bandwidth in GB/s of a GPU's NVLinks to its neighbours or to the switch; 0 if it has
  /// none.
  private static double nvlink(String gpu, Ways ways) {
    double direct = 0;
    double toSwitch = 0;
    double behind = 0;
    for (GraphPath path : ways.paths().paths()) {
      if (!path.type().equals("NVL") || path.to().equals(gpu)) {
        continue;
      }
      if (path.to().equals("NVS")) {
        toSwitch = ways.ofTree() ? toSwitch + path.bwGBps() : Math.max(toSwitch, path.bwGBps());
      } else if (path.hops() == 1) {
        direct += path.bwGBps();
      } else {
        behind = Math.max(behind, path.bwGBps());
      }
    }
    double near = direct + toSwitch;
    return near > 0 ? near : behind;
  }

  /// Bandwidth in GB/s of each GPU's way to the CPU: by the path, which accounts for switches
  /// between them; else by its own branch of the tree.
  public static Map<String, Double> slots(TrainingProcess process) {
    Map<String, Double> slots = new TreeMap<>();
    process
        .slots()
        .forEach(
            (end, slot) -> {
              if (!end.startsWith(NIC)) {
                slots.put(end, slot.bwGBps());
              }
            });
    process
        .ways()
        .forEach(
            (gpu, seen) ->
                seen.paths().paths().stream()
                    .filter(path -> path.to().equals("CPU"))
                    .mapToDouble(GraphPath::bwGBps)
                    .max()
                    .ifPresent(bw -> slots.put(gpu, bw)));
    return slots;
  }

  private static double median(Collection<Double> values) {
    var sorted = values.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
  }

  /// The properties in which a comparable host must be equal.
  public Likeness likeness(Examination examination) {
    var world = examination.run().world().map(Communicator::id).orElse("");
    var first = processes.getFirst();
    return new Likeness(
        examination.instanceTypeName(first),
        examination.gpuName(first),
        first.ncclVersion(),
        processes.stream()
            .map(process -> process.memberships().get(world))
            .filter(membership -> membership != null)
            .mapToInt(Membership::localRanks)
            .max()
            .orElse(-1),
        gpus,
        first.hcas(),
        first.nics(),
        variables(examination));
  }

  /// Values of the variables that the search reads, in the host's processes. Some versions print
  /// variables on rank 0 only, so rank 0 counts only if it is alone on the host.
  public Map<String, Set<String>> variables(Examination examination) {
    var values = new TreeMap<String, Set<String>>();
    for (var process : processes) {
      if (processes.size() > 1 && examination.run().rank(process) == 0) {
        continue;
      }
      process
          .environment()
          .forEach(
              (name, variable) -> {
                if (ofTheSearch(name)) {
                  values.computeIfAbsent(name, _ -> new TreeSet<>()).add(variable.value());
                }
              });
    }
    return values;
  }

  /// Whether the variable may change the result of NCCL's topology search.
  public static boolean ofTheSearch(String variable) {
    return NOT_OF_THE_SEARCH.stream().noneMatch(variable::startsWith);
  }
}
