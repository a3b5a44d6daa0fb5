package io.ringside.streams.detect.nics;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.NcclHead;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The plugin found fewer NICs than the machine has for the pod's GPUs (`found 1 nics` on a p4d
/// with 4). A pod that asked for a part of the GPUs gets that part of the NICs, which is INFO only.
public final class NicShortfall implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    Map<String, Integer> gpusInPod = new HashMap<>();
    for (var process : examination.run().processes()) {
      gpusInPod.merge(pod(process), 1, Integer::sum);
      // some logs hold only a few lines: a process with device 6 is one of at least seven
      var proof = process.proof(TrainingProcess.Statement.PROVIDER);
      int device = proof == null ? -1 : NcclHead.device(proof.text()).orElse(-1);
      gpusInPod.merge(pod(process), device + 1, Math::max);
    }
    for (var process : examination.run().byRank()) {
      var instance = examination.instanceType(process).orElse(null);
      var proof = process.proof(TrainingProcess.Statement.PROVIDER);
      if (instance == null || proof == null || instance.efa() == 0 || process.nics() < 0) {
        continue;
      }
      if (!NetworkUse.of(process, examination).tcpProvider().isEmpty()) {
        continue; // libfabric counts kernel interfaces: a fallback
      }
      int gpus = gpusInPod.getOrDefault(pod(process), 1);
      int fair = Math.max(1, instance.efa() * gpus / instance.gpus());
      if (process.nics() >= instance.efa()) {
        continue;
      }
      boolean inProportion = process.nics() >= fair;
      if (inProportion && gpus == instance.gpus()) {
        continue;
      }
      return List.of(finding(process, instance.efa(), gpus, fair, inProportion, examination));
    }
    return List.of();
  }

  /// A key for the process's pod. It includes the host, as a file may hold the lines of several
  /// hosts.
  private static String pod(TrainingProcess process) {
    return process.source().id() + "|" + process.host();
  }

  private static Finding finding(
      TrainingProcess process,
      int has,
      int gpus,
      int fair,
      boolean inProportion,
      Examination examination) {
    return FindingDraft.about(
            FindingKind.NIC_SHORTFALL,
            inProportion ? Severity.INFO : Severity.WARNING,
            examination,
            List.of(process))
        .summary(
            "%s uses %d of the %d EFA interfaces of %s for %d GPU%s"
                .formatted(
                    process.source().pod(),
                    process.nics(),
                    has,
                    examination.machine(process),
                    gpus,
                    gpus == 1 ? "" : "s"))
        .expected(nics(fair) + " for " + gpus + (gpus == 1 ? " GPU" : " GPUs") + " in the pod")
        .observed(nics(process.nics()) + " found by the network plugin")
        .cause(
            inProportion
                ? "the pod asked for a part of the machine"
                : "the pod asked for fewer vpc.amazonaws.com/efa than its GPUs deserve, or a NIC is down")
        .proof(process.proof(TrainingProcess.Statement.PROVIDER))
        .finding();
  }

  private static String nics(int n) {
    return n + (n == 1 ? " NIC" : " NICs");
  }
}
