package io.ringside.streams.detect.nics;

import static java.util.stream.Collectors.toCollection;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.TrainingProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Finds hosts on which NCCL found only some of the HCAs that all other hosts of the run have
/// (`NET/IB : Using [0]mlx5_0:1/IB …`). Compared with a single other host it is INFO, since the two
/// may be different machines. If `NCCL_IB_HCA` selects the HCAs, none counts as missing.
public final class HcaShortfall implements Detector {
  private static final String CHOICE = "NCCL_IB_HCA";

  @Override
  public List<Finding> examine(Examination examination) {
    var hosts = new LinkedHashMap<String, TrainingProcess>();
    for (var process : examination.run().processes()) {
      if (!process.hcas().isEmpty()) {
        if (process.environment().containsKey(CHOICE)) {
          return List.of();
        }
        hosts.putIfAbsent(process.hostId(), process);
      }
    }
    var findings = new ArrayList<Finding>();
    var had = new LinkedHashMap<Set<String>, List<TrainingProcess>>();
    hosts.values().forEach(of -> had.computeIfAbsent(ports(of), _ -> new ArrayList<>()).add(of));
    if (had.size() == 2) {
      had.forEach((ports, of) -> lack(ports, of, had, examination).forEach(findings::add));
    }
    return findings;
  }

  private static Set<String> ports(TrainingProcess process) {
    return process.hcas().stream().collect(toCollection(TreeSet::new));
  }

  private static List<Finding> lack(
      Set<String> ports,
      List<TrainingProcess> of,
      Map<Set<String>, List<TrainingProcess>> had,
      Examination examination) {
    var all = had.keySet().stream().filter(it -> !it.equals(ports)).findFirst().orElseThrow();
    var others = had.getOrDefault(all, List.of());
    if (ports.size() >= all.size() || !all.containsAll(ports) || of.size() > others.size()) {
      return List.of();
    }
    var missing = new TreeSet<>(all);
    missing.removeAll(ports);
    var host = of.getFirst().host();
    var who = of.size() == 1 ? "host " + host + " has" : of.size() + " hosts have";
    return List.of(
        FindingDraft.about(
                FindingKind.NIC_SHORTFALL,
                others.size() > of.size() ? Severity.WARNING : Severity.INFO,
                examination,
                of)
            .subject("hcas " + host)
            .summary(
                "%s %d of the %d HCAs that NCCL finds on the run's other hosts"
                    .formatted(who, ports.size(), all.size()))
            .expected("%d HCAs, as on host %s".formatted(all.size(), others.getFirst().host()))
            .observed("no " + String.join(", ", missing))
            .cause("a port without link or an HCA that its driver lost: look at ibstat there")
            .proof(of.getFirst().proof(TrainingProcess.Statement.IB_DEVICES))
            .proof(others.getFirst().proof(TrainingProcess.Statement.IB_DEVICES))
            .finding());
  }
}
