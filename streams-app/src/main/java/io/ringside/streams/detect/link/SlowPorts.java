package io.ringside.streams.detect.link;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.TrainingProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// A port of a host's HCA that came up slower than the same port does on every other host of the run. At least one port of that host
/// runs as fast as its peers': a host on which all are slower is another machine. Against a single other host it is a note, which of
/// the two is as meant nobody knows.
final class SlowPorts {
  private SlowPorts() {}

  static List<Finding> of(Examination examination) {
    var byHost = new LinkedHashMap<String, List<TrainingProcess>>();
    for (var process : examination.run().byRank()) {
      if (!process.ibPorts().mbps().isEmpty()) {
        byHost.computeIfAbsent(process.hostId(), _ -> new ArrayList<>()).add(process);
      }
    }
    var findings = new ArrayList<Finding>();
    byHost.forEach(
        (host, processes) -> {
          var others =
              byHost.entrySet().stream()
                  .filter(entry -> !entry.getKey().equals(host))
                  .map(entry -> entry.getValue().getFirst().ibPorts().mbps())
                  .toList();
          slow(processes.getFirst().ibPorts().mbps(), others)
              .forEach(
                  (port, usual) ->
                      findings.add(finding(port, usual, processes, others.size(), examination)));
        });
    return findings;
  }

  /// Ports that are slower than on all others, with the speed that they have there.
  private static Map<String, Long> slow(Map<String, Long> own, List<Map<String, Long>> others) {
    var slow = new LinkedHashMap<String, Long>();
    boolean alike = false;
    for (var port : own.entrySet()) {
      var there = new LinkedHashSet<Long>();
      others.forEach(other -> there.add(other.getOrDefault(port.getKey(), -1L)));
      if (there.size() != 1 || there.contains(-1L)) {
        continue;
      }
      long usual = there.getFirst();
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
