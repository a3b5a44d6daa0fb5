package io.ringside.streams.detect.nics;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.DisabledTransports;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.NetworkUse;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.Transports;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/// Finds network edges without GPUDirect RDMA on machines whose NICs can reach GPU memory: every
/// byte makes a detour through host memory. Sockets never have it and are reported as a fallback.
///
/// On InfiniBand and RoCE NCCL itself prints that the driver does not offer it,
/// `GPU Direct RDMA Disabled for HCA 0 'mlx5_0'` (src/transport/net_ib, from 2.13.4 on). NVIDIA
/// offers it for data-centre cards only, and NCCL rarely names the card: so the finding is a
/// warning if the model or NVLink shows such a card, else INFO. If only the edges lack it, on
/// data-centre GPUs, it is INFO, as NIC and GPU may be too far apart. It is a warning if most other
/// edges of the run have it.
public final class GdrMissing implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    var look = new GdrExpectation(examination);
    var edges = examination.edges().stream().filter(look::lacking).toList();
    if (edges.isEmpty()) {
      return announced(examination);
    }
    var processes = new LinkedHashSet<TrainingProcess>();
    edges.forEach(edge -> processes.add(edge.printer()));
    var first = edges.getFirst();
    boolean driver = first.printer().proof(TrainingProcess.Statement.GDR_DISABLED) != null;
    boolean sure = edges.stream().anyMatch(look::sure);
    var draft =
        FindingDraft.about(
                FindingKind.GDR_MISSING,
                sure ? Severity.WARNING : Severity.INFO,
                examination,
                processes)
            .summary(
                "%s over %s without GPUDirect RDMA"
                    .formatted(
                        RankText.clause(
                            processes.stream().map(examination.run()::rank).toList(),
                            "sends",
                            "send"),
                        Transports.label(first.transport())))
            .expected("GDRDMA on " + examination.machine(first.printer()))
            .observed(Transports.label(first.transport()))
            .cause(cause(first.printer(), sure))
            .proof(first.printer().proof(TrainingProcess.Statement.GDR_DISABLED));
    var level = first.printer().environment().get(DisabledTransports.GDR_LEVEL);
    if (level != null && DisabledTransports.gdr(first.printer())) {
      draft.proof(level.proof());
    } else if (driver) {
      draft.tryNow("lsmod | grep -E 'nvidia_peermem|ib_core'");
    }
    edges.stream().limit(4).forEach(edge -> draft.proof(edge.proof()));
    return List.of(draft.finding());
  }

  private static String cause(TrainingProcess process, boolean sure) {
    if (DisabledTransports.gdr(process)) {
      return "turned off by the environment variable " + DisabledTransports.GDR_LEVEL + "=LOC";
    }
    return process.proof(TrainingProcess.Statement.GDR_DISABLED) == null
        ? "GPU and NIC too far apart, GPUDirect refused by plugin or driver, or "
            + DisabledTransports.GDR_LEVEL
            + " too low"
        : "the driver does not offer it to the network card: nvidia-peermem is not loaded, and the kernel has"
            + " no DMA-BUF for it"
            + (sure ? "" : "; cards for desktops never have it");
  }

  /// Before any edge is known, a refusal by the driver is INFO.
  private static List<Finding> announced(Examination examination) {
    if (!examination.edges().isEmpty()) {
      return List.of();
    }
    var refused =
        examination.run().byRank().stream()
            .filter(process -> process.proof(TrainingProcess.Statement.GDR_DISABLED) != null)
            .filter(process -> process.proof(TrainingProcess.Statement.GDR_ENABLED) == null)
            .filter(
                process ->
                    NetworkUse.of(process, examination)
                        .chosen()
                        .toUpperCase(Locale.ROOT)
                        .contains("IB"))
            .toList();
    if (refused.isEmpty()) {
      return List.of();
    }
    var draft =
        FindingDraft.about(FindingKind.GDR_MISSING, Severity.INFO, examination, refused)
            .summary("the driver offers no GPUDirect RDMA to the network cards")
            .expected("GPUDirect RDMA, where GPU and card support it")
            .observed("GPU Direct RDMA Disabled")
            .cause(
                "nvidia-peermem is not loaded, and the kernel has no DMA-BUF for it; the log ends before any edge")
            .tryNow("lsmod | grep -E 'nvidia_peermem|ib_core'");
    refused.stream()
        .limit(4)
        .forEach(process -> draft.proof(process.proof(TrainingProcess.Statement.GDR_DISABLED)));
    return List.of(draft.finding());
  }
}
