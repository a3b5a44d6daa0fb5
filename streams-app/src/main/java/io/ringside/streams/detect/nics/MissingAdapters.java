package io.ringside.streams.detect.nics;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NodesOfRun;
import io.ringside.streams.expect.InstanceType;
import io.ringside.streams.job.NodeWatch;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.hardware.LinkHistory;
import io.ringside.streams.job.hardware.PortHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Finds nodes with fewer adapters under `/sys/class/infiniband` than the machine type has EFA
/// interfaces, or than all other nodes of the run have. This is the node's own list: it is complete
/// even if a pod was given fewer. Requires an agent that counts errors.
public final class MissingAdapters implements Detector {
  private static final int LEAST_PEERS = 3;

  /// Agents read the list once a minute; an older entry belongs to an adapter that is gone.
  private static final long FRESH_NANOS = Duration.ofMinutes(4).toNanos();

  @Override
  public List<Finding> examine(Examination examination) {
    var nodes = NodesOfRun.of(examination);
    var standing = standing(nodes, examination);
    var lacks = new LinkedHashMap<Lack, List<String>>();
    standing.forEach(
        (node, adapters) -> {
          var processes = nodes.getOrDefault(node, List.of());
          var machine = machine(processes, examination);
          var expected = machine > 0 ? OptionalInt.of(machine) : others(node, standing);
          if (expected.isPresent() && adapters.size() < expected.getAsInt()) {
            var by = machine > 0 ? examination.machine(processes.getFirst()) : "each other node";
            lacks
                .computeIfAbsent(
                    new Lack(adapters, expected.getAsInt(), by), _ -> new ArrayList<>())
                .add(node);
          }
        });
    var findings = new ArrayList<Finding>();
    lacks.forEach((lack, of) -> findings.add(finding(lack, of, nodes, examination)));
    return findings;
  }

  /// A shortfall. Nodes with the same one share a finding, as a launch template that asks for too
  /// few adapters is one fault.
  private record Lack(Set<String> adapters, int expected, String by) {}

  /// The adapters of each node whose agent counts errors.
  private static Map<String, Set<String>> standing(
      Map<String, List<TrainingProcess>> nodes, Examination examination) {
    long newest = newest(nodes.keySet(), examination);
    var standing = new TreeMap<String, Set<String>>();
    nodes.forEach(
        (node, processes) -> {
          var ports = examination.job().watch(node).map(NodeWatch::ports);
          if (ports.isPresent() && (!ports.get().isEmpty() || asked(processes, examination))) {
            standing.put(node, fresh(ports.get(), newest - FRESH_NANOS));
          }
        });
    return standing;
  }

  /// The adapters whose ports were read since then.
  private static Set<String> fresh(Map<String, PortHistory> ports, long sinceNanos) {
    var adapters = new TreeSet<String>();
    ports.forEach(
        (port, history) -> {
          if (!port.isEmpty() && history.recent().getLast().atNanos() >= sinceNanos) {
            adapters.add(port.substring(0, port.lastIndexOf('/')));
          }
        });
    return adapters;
  }

  private static long newest(Set<String> nodes, Examination examination) {
    return nodes.stream()
        .flatMap(node -> examination.job().watch(node).stream())
        .flatMap(watch -> watch.ports().values().stream())
        .mapToLong(history -> history.recent().getLast().atNanos())
        .max()
        .orElse(0);
  }

  /// Whether the agent reported the GPUs' links, which it does together with the ports.
  private static boolean asked(List<TrainingProcess> processes, Examination examination) {
    var links = examination.run().links();
    return processes.stream()
        .map(process -> links.getOrDefault(process.id(), new LinkHistory()))
        .anyMatch(history -> history.recent().size() > 1);
  }

  private static int machine(List<TrainingProcess> processes, Examination examination) {
    return processes.stream()
        .findFirst()
        .flatMap(examination::instanceType)
        .map(InstanceType::efa)
        .orElse(0);
  }

  /// The number of adapters that all other nodes have; empty if they differ or are too few.
  private static OptionalInt others(String node, Map<String, Set<String>> standing) {
    var counts = new HashSet<Integer>();
    standing.forEach(
        (other, adapters) -> {
          if (!other.equals(node)) {
            counts.add(adapters.size());
          }
        });
    return standing.size() > LEAST_PEERS && counts.size() == 1
        ? OptionalInt.of(counts.iterator().next())
        : OptionalInt.empty();
  }

  private static Finding finding(
      Lack lack,
      List<String> of,
      Map<String, List<TrainingProcess>> nodes,
      Examination examination) {
    var adapters = lack.adapters();
    var seen =
        "%d under /sys/class/infiniband%s"
            .formatted(
                adapters.size(), adapters.isEmpty() ? "" : ": " + String.join(", ", adapters));
    var processes =
        of.stream().flatMap(node -> nodes.getOrDefault(node, List.of()).stream()).toList();
    var who = of.size() == 1 ? "node " + of.getFirst() + " has" : of.size() + " nodes have";
    var draft =
        FindingDraft.about(FindingKind.NIC_SHORTFALL, Severity.WARNING, examination, processes)
            .subject("adapters " + of.getFirst())
            .summary(
                "%s %d of the %d network adapters for RDMA that %s has"
                    .formatted(who, adapters.size(), lack.expected(), lack.by()))
            .expected(lack.expected() + " adapters, as " + lack.by() + " has")
            .observed(seen)
            .cause(
                "interfaces without EFA at the instance's start, or an adapter that its driver lost: look at lspci and the kernel's log");
    of.stream()
        .limit(4)
        .forEach(
            node ->
                examination
                    .job()
                    .watch(node)
                    .flatMap(watch -> watch.proof(seen))
                    .ifPresent(draft::proof));
    return draft.finding();
  }
}
