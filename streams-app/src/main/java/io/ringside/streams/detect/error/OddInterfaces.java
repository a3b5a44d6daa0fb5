package io.ringside.streams.detect.error;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.detect.failure.Interfaces;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Statement;
import io.ringside.streams.job.TrainingProcess.Warned;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Hosts whose sockets use a different interface from those of the other hosts, in a run where no
/// rank came up. Names differ between machines, so a different name alone is no fault. Either the
/// interface leads nowhere (a bridge for containers or virtual machines, the loopback), or a
/// variable selects it on fewer than half of the hosts and some rank cannot reach a peer.
///
/// @param name name of the interface
/// @param processes processes that use it
/// @param variable the variable that selects it with its value; empty where no line shows one
/// @param others names of the interfaces that the other hosts use
public record OddInterfaces(
    String name, List<TrainingProcess> processes, String variable, String others) {
  /// Prefixes of interface names that Docker, Podman, libvirt, LXC and Kubernetes use.
  private static final List<String> LOCAL =
      List.of("docker", "podman", "virbr", "cni", "flannel", "veth", "br-", "lxcbr", "lxdbr");

  private static final String LOOPBACK = "lo";

  /// Texts of errors for a peer that cannot be reached.
  private static final List<String> UNREACHED =
      List.of(
          "No route to host",
          "Network is unreachable",
          "Connection timed out",
          "Connection refused",
          "cannot connect to");

  /// The odd interface of the run; empty if the run came up, or if no interface is odd.
  public static Optional<OddInterfaces> of(Examination examination) {
    var run = examination.run();
    if (run.processes().stream().anyMatch(TrainingProcess::cameUp)
        || !examination.edges().isEmpty()
        || run.steps().observations() > 0) {
      return Optional.empty();
    }
    var byName = new LinkedHashMap<String, List<TrainingProcess>>();
    for (var process : run.byRank()) {
      var name = name(process);
      if (!name.isEmpty()) {
        byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(process);
      }
    }
    if (byName.size() < 2) {
      return Optional.empty();
    }
    long hosts = byName.values().stream().mapToLong(OddInterfaces::hosts).sum();
    for (var entry : byName.entrySet()) {
      boolean local = local(entry.getKey());
      var variable = variable(entry.getValue());
      boolean few =
          2 * hosts(entry.getValue()) < hosts && !variable.isEmpty() && unreached(examination);
      if (local && byName.keySet().stream().anyMatch(other -> !local(other)) || few) {
        return Optional.of(odd(entry, variable, byName));
      }
    }
    return Optional.empty();
  }

  private static boolean unreached(Examination examination) {
    return examination.run().processes().stream()
        .anyMatch(
            process ->
                process.unreachable() != null
                    || process.warnings().stream().anyMatch(OddInterfaces::unreached));
  }

  /// Whether this message says that a peer cannot be reached.
  static boolean unreached(Warned warned) {
    return UNREACHED.stream().anyMatch(warned.message()::contains);
  }

  private static OddInterfaces odd(
      Map.Entry<String, List<TrainingProcess>> entry,
      String variable,
      Map<String, List<TrainingProcess>> byName) {
    var others =
        byName.keySet().stream().filter(other -> !other.equals(entry.getKey())).sorted().toList();
    return new OddInterfaces(
        entry.getKey(), List.copyOf(entry.getValue()), variable, String.join(", ", others));
  }

  private static long hosts(List<TrainingProcess> processes) {
    return processes.stream().map(TrainingProcess::hostId).distinct().count();
  }

  private static boolean local(String name) {
    return name.equals(LOOPBACK) || LOCAL.stream().anyMatch(name::startsWith);
  }

  /// `eth0` of `eth0:10.0.4.51<0>`.
  private static String name(TrainingProcess process) {
    var chosen = process.networkInterface();
    int colon = chosen.indexOf(':');
    return colon < 0 ? chosen : chosen.substring(0, colon);
  }

  /// The variable with its value, if it is the same on all these processes; else empty.
  private static String variable(List<TrainingProcess> processes) {
    var values =
        processes.stream()
            .map(process -> process.variable(Interfaces.VARIABLE))
            .distinct()
            .toList();
    return values.size() == 1 && !values.getFirst().isEmpty()
        ? Interfaces.VARIABLE + "=" + values.getFirst()
        : "";
  }

  /// The cause as one clause.
  String cause() {
    return "%s %s%s, the others %s: it may lead nowhere from there"
        .formatted(where(), name, variable.isEmpty() ? "" : " by " + variable, others);
  }

  private String where() {
    long hosts = hosts(processes);
    var first = processes.getFirst();
    var host = first.host().isEmpty() ? first.node() : first.host();
    return hosts == 1 ? "host " + host + " uses" : "%d hosts use".formatted(hosts);
  }

  /// Lines that show it: the interface of one of these processes, the variable that selects it, and
  /// the interface of another process.
  List<Evidence> proofs(Examination examination) {
    var first = processes.getFirst();
    var variable = first.environment().get(Interfaces.VARIABLE);
    var other =
        examination.run().byRank().stream()
            .filter(process -> !processes.contains(process) && !name(process).isEmpty())
            .findFirst()
            .map(process -> process.proof(Statement.INTERFACE))
            .orElse(null);
    var lines = new ArrayList<Evidence>();
    if (variable != null) {
      lines.add(variable.proof());
    }
    Optional.ofNullable(first.proof(Statement.INTERFACE)).ifPresent(lines::add);
    Optional.ofNullable(other).ifPresent(lines::add);
    return lines;
  }

  /// The first line that shows it.
  public @Nullable Evidence proof() {
    return processes.getFirst().proof(Statement.INTERFACE);
  }
}
