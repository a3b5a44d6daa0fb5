package io.ringside.streams.detect.p2pread;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.Ranks;
import io.ringside.streams.expect.GpuModel;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.Transport;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// P2P edges in read mode.
///
/// NCCL itself chooses it for two GPUs of compute capability 8.0 over NVLink and for no others
/// (src/graph/paths.cc, `ncclTopoCheckP2p`, 2.7.3 to 2.30.7); `NCCL_P2P_READ_ENABLE` overrides it.
public final class P2pRead implements Detector {
  /// With it P2P reads whatever the GPUs are.
  public static final String FORCE = "NCCL_P2P_READ_ENABLE";

  @Override
  public List<Finding> examine(Examination examination) {
    var processes = new LinkedHashSet<TrainingProcess>();
    var edges =
        examination.edges().stream()
            .filter(edge -> edge.transport() instanceof Transport.P2p p2p && p2p.read())
            .toList();
    if (edges.isEmpty()) {
      return List.of();
    }
    edges.forEach(edge -> processes.add(edge.printer()));
    var first = edges.getFirst().printer();
    var gpu = examination.gpuName(first);
    var forced = first.environment().get(FORCE);
    boolean byEnvironment = forced != null && forced.value().equals("1");
    boolean policy = !byEnvironment && readsByItself(gpu, examination);
    var draft =
        FindingDraft.about(
                FindingKind.P2P_READ,
                policy ? Severity.INFO : Severity.WARNING,
                examination,
                processes)
            .summary(
                Ranks.clause(
                        processes.stream().map(examination.run()::rank).toList(), "pulls", "pull")
                    + " data over P2P instead of pushing it")
            .expected(policy ? "P2P read on A100 over NVLink" : "P2P write")
            .observed("P2P read")
            .cause(cause(byEnvironment, policy, gpu));
    if (forced != null) {
      draft.proof(forced.proof());
    }
    edges.stream().limit(3).forEach(edge -> draft.proof(edge.proof()));
    return List.of(draft.finding());
  }

  /// Without a word on the model the mode itself is a sign of an A100.
  private static boolean readsByItself(String gpu, Examination examination) {
    return gpu.isEmpty()
        || examination
            .expectations()
            .gpuModel(gpu)
            .map(model -> model.p2p() == GpuModel.P2p.READ)
            .orElse(false);
  }

  private static @Nullable String cause(boolean byEnvironment, boolean policy, String gpu) {
    if (byEnvironment) {
      return "forced by the environment variable " + FORCE + "=1";
    }
    if (policy) {
      return "NCCL's own choice between two GPUs of compute capability 8.0 (A100) over NVLink";
    }
    return "not NCCL's choice for " + gpu + "; no line shows what forced it";
  }
}
