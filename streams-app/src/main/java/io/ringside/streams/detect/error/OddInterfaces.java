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

/// Hosts whose sockets go over another interface than those of the other hosts, in a run of which
/// no rank came up. Names differ between machines, so the name alone is no fault: it is one that
/// leads nowhere (a bridge for containers or virtual machines, the loopback), or one that a
/// variable chose on fewer hosts than half, where some rank cannot reach a peer.
///
/// @param name of the interface
/// @param processes that use it
/// @param variable with its value, empty where no line shows it
/// @param others what the other hosts use
public record OddInterfaces(
    String name, List<TrainingProcess> processes, String variable, String others) {
  /// Docker's, Podman's, libvirt's and Kubernetes' own.
  private static final List<String> LOCAL =
      List.of("docker", "podman", "virbr", "cni", "flannel", "veth", "br-", "lxcbr", "lxdbr");

  private static final String LOOPBACK = "lo";

  /// Of a peer at an address to which no way leads.
  private static final List<String> UNREACHED =
      List.of(
          "No route to host",
          "Network is unreachable",
          "Connection timed out",
          "Connection refused",
          "cannot connect to");

  /// Of the run, empty if it came up, or nothing is odd.
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

  /// Whether a peer cannot be reached, by these words.
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

  /// As all of them have it.
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

  /// What it means, one clause.
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

  /// Lines that show it: of one of them which it chose and by which variable, and of another.
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

  /// The line that shows it first.
  public @Nullable Evidence proof() {
    return processes.getFirst().proof(Statement.INTERFACE);
  }
}
