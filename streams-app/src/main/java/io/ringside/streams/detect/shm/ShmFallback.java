package io.ringside.streams.detect.shm;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.DisabledTransports;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.expect.GpuModel;
import io.ringside.streams.expect.InstanceType;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.Transport;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// Finds GPUs of one host that exchange data through shared memory although they could communicate
/// directly.
///
/// By default NCCL uses P2P up to PXB (src/graph/paths.cc, 2.23 and later) and shared memory for
/// longer paths. PCIe machines whose GPUs are on different host bridges therefore use shared memory
/// by design.
public final class ShmFallback implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    var edges =
        examination.edges().stream()
            .filter(edge -> edge.transport() instanceof Transport.Shm)
            .toList();
    if (edges.isEmpty()) {
      return List.of();
    }
    var processes = new LinkedHashSet<TrainingProcess>();
    edges.forEach(edge -> processes.add(edge.printer()));
    var first = edges.getFirst();
    var reason = reason(first, edges, examination);
    var draft =
        FindingDraft.about(
                FindingKind.SHM_FALLBACK,
                reason.byDesign() ? Severity.INFO : Severity.WARNING,
                examination,
                processes)
            .summary(
                RankText.clause(
                        processes.stream().map(examination.run()::rank).toList(),
                        "exchanges",
                        "exchange")
                    + " data through shared memory instead of GPU to GPU")
            .expected(reason.byDesign() ? "SHM on this topology" : "P2P" + reason.over())
            .observed("SHM")
            .cause(reason.words());
    for (var name : List.of("NCCL_P2P_DISABLE", "NCCL_P2P_LEVEL")) {
      var variable = first.printer().environment().get(name);
      if (variable != null) {
        draft.proof(variable.proof());
      }
    }
    draft
        .proof(first.printer().proof(TrainingProcess.Statement.P2P_UNAVAILABLE))
        .proof(first.printer().proof(TrainingProcess.Statement.P2P));
    edges.stream().limit(3).forEach(edge -> draft.proof(edge.proof()));
    return List.of(draft.finding());
  }

  private record Reason(boolean byDesign, String over, String words) {}

  private static Reason reason(RunEdge edge, List<RunEdge> edges, Examination examination) {
    var process = edge.printer();
    var link =
        edge.from().isPresent() && edge.to().isPresent()
            ? examination.link(edge.from().get(), edge.to().get()).orElse("")
            : "";
    var over = link.isEmpty() ? "" : " over " + link;
    var without = link.isEmpty() ? withoutP2p(process, examination) : Optional.<String>empty();
    if (without.isPresent()) {
      return new Reason(true, "", without.get());
    }
    boolean linked = link.startsWith("NV") || link.equals("PIX") || link.equals("PXB");
    if (DisabledTransports.p2p(process) && (linked || link.isEmpty())) {
      return new Reason(false, over, "P2P is disabled by environment (NCCL_P2P_DISABLE=1)");
    }
    boolean nvlink = examination.instanceType(process).map(InstanceType::nvlink).orElse(false);
    if (link.isEmpty() && LonePair.is(edges, examination)) {
      return new Reason(
          false,
          ", as all other pairs of the host",
          "P2P works between all other GPUs of the host: this pair's link is down, or P2P over it is refused");
    }
    if (process.proof(TrainingProcess.Statement.P2P_UNAVAILABLE) != null) {
      return new Reason(
          !linked && !nvlink, over, "the driver does not allow P2P between these GPUs");
    }
    if (linked) {
      return new Reason(false, over, "the GPUs are linked by " + link + ", yet P2P is not used");
    }
    if (!link.isEmpty()) {
      return new Reason(
          true, over, "NCCL takes SHM between GPUs that are linked by " + link + " only");
    }
    if (nvlink) {
      return new Reason(false, " over NVLink", "the machine has NVLink, yet P2P is not used");
    }
    return new Reason(
        true, "", "how the GPUs are linked is not known; SHM is normal without NVLink");
  }

  /// The reason why the machine has no P2P regardless of variables: by its type, else by the model
  /// of its GPUs; empty if it may have P2P.
  private static Optional<String> withoutP2p(TrainingProcess process, Examination examination) {
    var type = examination.instanceType(process);
    if (type.isPresent()) {
      return type.filter(machine -> !machine.nvlink())
          .map(
              machine ->
                  "%s has no NVLink: its GPUs (%s) use shared memory across host bridges"
                      .formatted(examination.machine(process), machine.gpu()));
    }
    var gpu = examination.gpuName(process);
    return examination
        .expectations()
        .gpuModel(gpu)
        .filter(model -> model.p2p() == GpuModel.P2p.SHM)
        .map(_ -> gpu + " has no NVLink: such GPUs use shared memory across host bridges");
  }
}
