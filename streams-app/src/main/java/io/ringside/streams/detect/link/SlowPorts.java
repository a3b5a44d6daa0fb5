package io.ringside.streams.detect.link;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.TrainingProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Finds HCA ports that came up slower on one host than on every other host of the run. At least
/// one port of that host must run as fast as on the others: a host on which all are slower is
/// another machine. Compared with a single other host it is INFO, since it is unknown which of the
/// two is right.
final class SlowPorts {
  private SlowPorts() {}

  static List<Finding> of(Examination examination) {
    var byHost = new LinkedHashMap<String, List<TrainingProcess>>();
    for (var process : examination.run().byRank()) {
      if (!process.ibPorts().mbps().isEmpty()) {
        byHost.computeIfAbsent(process.hostId(), _ -> new ArrayList<>()).add(process);
      }
    }
    // number of hosts by port and speed, so that hosts need not be compared in pairs
    var hosts = new TreeMap<String, Map<Long, Integer>>();
    byHost
        .values()
        .forEach(
            processes ->
                ports(processes)
                    .forEach(
                        (port, mbps) ->
                            hosts
                                .computeIfAbsent(port, _ -> new TreeMap<>())
                                .merge(mbps, 1, Integer::sum)));
    var findings = new ArrayList<Finding>();
    int others = byHost.size() - 1;
    byHost
        .values()
        .forEach(
            processes ->
                slow(ports(processes), hosts, others)
                    .forEach(
                        (port, usual) ->
                            findings.add(finding(port, usual, processes, others, examination))));
    return findings;
  }

  private static Map<String, Long> ports(List<TrainingProcess> processes) {
    return processes.getFirst().ibPorts().mbps();
  }

  /// Ports that are slower than on all others, with the others' speed in Mb/s.
  private static Map<String, Long> slow(
      Map<String, Long> own, Map<String, Map<Long, Integer>> hosts, int others) {
    var slow = new LinkedHashMap<String, Long>();
    boolean alike = false;
    for (var port : own.entrySet()) {
      var elsewhere = new TreeMap<>(hosts.getOrDefault(port.getKey(), Map.of()));
      elsewhere.computeIfPresent(port.getValue(), (_, count) -> count == 1 ? null : count - 1);
      if (elsewhere.size() != 1 || elsewhere.firstEntry().getValue() != others) {
        continue; // missing on some host, or speeds differ
      }
      long usual = elsewhere.firstKey();
      alike |= port.getValue() == usual;
      if (port.getValue() < usual) {
        slow.put(port.getKey(), usual);
      }
    }
    return alike ? slow : Map.of();
  }

  private static Finding finding(
      String port,
      long usual,
      List<TrainingProcess> processes,
      int others,
      Examination examination) {
    var first = processes.getFirst();
    var ports = first.ibPorts();
    return FindingDraft.about(
            FindingKind.LINK_DEGRADED,
            others > 1 ? Severity.WARNING : Severity.INFO,
            examination,
            processes)
        .subject("port " + first.hostId() + " " + port)
        .summary(
            "%s of host %s is up at %s, and at %s on the other %s"
                .formatted(
                    port,
                    first.host(),
                    gbps(ports.mbps().getOrDefault(port, 0L)),
                    gbps(usual),
                    others == 1 ? "host" : others + " hosts"))
        .expected(gbps(usual))
        .observed(gbps(ports.mbps().getOrDefault(port, 0L)))
        .cause("a cable, transceiver or switch port that negotiated a lower speed")
        .tryNow("ibstat " + port)
        .tryNow("mlxlink -d " + port)
        .proof(ports.line(port))
        .finding();
  }

  private static String gbps(long mbps) {
    return "%.0f Gb/s".formatted(mbps / 1000.0);
  }
}
