package io.ringside.streams.detect.p2pread;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.examine.RunEdge;
import io.ringside.streams.expect.GpuModel;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.Transport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;

/// Finds P2P edges in read mode.
///
/// NCCL itself selects read mode only for two GPUs of compute capability 8.0 over NVLink
/// (src/graph/paths.cc, `ncclTopoCheckP2p`, 2.7.3 to 2.30.7). `NCCL_P2P_READ_ENABLE` overrides it.
public final class P2pRead implements Detector {
  /// With this variable, P2P uses read mode on any GPU.
  public static final String FORCE = "NCCL_P2P_READ_ENABLE";

  @Override
  public List<Finding> examine(Examination examination) {
    var byWhy = new LinkedHashMap<Why, List<RunEdge>>();
    for (var edge : examination.edges()) {
      if (edge.transport() instanceof Transport.P2p p2p && p2p.read()) {
        byWhy.computeIfAbsent(why(edge.printer(), examination), _ -> new ArrayList<>()).add(edge);
      }
    }
    // a job on two kinds of machine may read for two reasons: the finding of the unexpected one
    // keeps the plain id
    var strange = byWhy.keySet().stream().filter(why -> !why.policy()).findFirst();
    var told = new ArrayList<Finding>();
    byWhy.forEach(
        (why, edges) -> {
          boolean apart = byWhy.size() > 1 && !why.equals(strange.orElse(why));
          told.add(finding(why, edges, apart, examination));
        });
    return told;
  }

  /// Why a process reads.
  ///
  /// @param gpu model of its GPU, if the model is the reason or contradicts read mode
  private record Why(boolean byEnvironment, boolean policy, String gpu) {
    String subject() {
      return byEnvironment ? FORCE : policy ? "policy" : gpu;
    }
  }

  private static Why why(TrainingProcess process, Examination examination) {
    var forced = process.environment().get(FORCE);
    if (forced != null && forced.value().equals("1")) {
      return new Why(true, false, "");
    }
    var gpu = examination.gpuName(process);
    return readsByItself(gpu, examination) ? new Why(false, true, "") : new Why(false, false, gpu);
  }

  private static Finding finding(
      Why why, List<RunEdge> edges, boolean apart, Examination examination) {
    var processes = new LinkedHashSet<TrainingProcess>();
    edges.forEach(edge -> processes.add(edge.printer()));
    var draft =
        FindingDraft.about(
                FindingKind.P2P_READ,
                why.policy() ? Severity.INFO : Severity.WARNING,
                examination,
                processes)
            .subject(apart ? why.subject() : "")
            .summary(
                RankText.clause(
                        processes.stream().map(examination.run()::rank).toList(), "pulls", "pull")
                    + " data over P2P instead of pushing it")
            .expected(why.policy() ? "P2P read on A100 over NVLink" : "P2P write")
            .observed("P2P read")
            .cause(cause(why));
    var forced = edges.getFirst().printer().environment().get(FORCE);
    if (forced != null) {
      draft.proof(forced.proof());
    }
    edges.stream().limit(3).forEach(edge -> draft.proof(edge.proof()));
    return draft.finding();
  }

  /// Whether read mode is normal for this GPU. If no line names the model, read mode itself is a
  /// sign of an A100.
  private static boolean readsByItself(String gpu, Examination examination) {
    return gpu.isEmpty()
        || examination
            .expectations()
            .gpuModel(gpu)
            .map(model -> model.p2p() == GpuModel.P2p.READ)
            .orElse(false);
  }

  private static String cause(Why why) {
    if (why.byEnvironment()) {
      return "forced by the environment variable " + FORCE + "=1";
    }
    if (why.policy()) {
      return "NCCL's own choice between two GPUs of compute capability 8.0 (A100) over NVLink";
    }
    return "not NCCL's choice for " + why.gpu() + "; no line shows what forced it";
  }
}
