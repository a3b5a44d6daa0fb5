package io.ringside.streams.detect.link;

import static java.util.stream.Collectors.groupingBy;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.hardware.SavedNvlinks;
import io.ringside.streams.job.hardware.SavedNvlinks.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds GPUs with fewer active NVLinks than the others in a saved `nvidia-smi nvlink -s` or
/// `dcgmi nvlink -s` output: a warning. Only models with built-in links are examined, as among
/// cards in slots a bridge links only some. If none of the listed GPUs has a link it is INFO: the
/// machine may have been built, or rented out, without. A single GPU has no peer to be linked to.
public final class DeadLinks implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    if (!examination.newestRun()) {
      return List.of();
    }
    var findings = new ArrayList<Finding>();
    // compares GPUs of one model: other models may have more links
    var listed = examination.job().nvlinks().values();
    listed.stream()
        .filter(gpu -> gpu.state() != null && SavedNvlinks.builtIn(gpu, listed))
        .collect(groupingBy(SavedNvlinks.Gpu::model))
        .values()
        .forEach(
            gpus ->
                gpus.forEach(
                    gpu ->
                        look(gpu, gpus)
                            .map(it -> finding(gpu, it, examination))
                            .ifPresent(findings::add)));
    return findings;
  }

  private static Optional<Severity> look(SavedNvlinks.Gpu gpu, List<SavedNvlinks.Gpu> gpus) {
    int own = inactive(gpu);
    var others = gpus.stream().filter(other -> other != gpu).toList();
    if (own == 0) {
      return Optional.empty();
    }
    if (others.stream().anyMatch(other -> active(other) > 0)) {
      long usual = NvlinkErrors.middle(others, DeadLinks::inactive);
      return own > usual ? Optional.of(Severity.WARNING) : Optional.empty();
    }
    boolean alone = others.isEmpty() && gpu.index() == 0;
    return own == State.ALL && !alone ? Optional.of(Severity.INFO) : Optional.empty();
  }

  private static int inactive(SavedNvlinks.Gpu gpu) {
    var state = gpu.state();
    return state == null ? 0 : state.inactive();
  }

  private static int active(SavedNvlinks.Gpu gpu) {
    var state = gpu.state();
    return state == null ? 0 : state.active();
  }

  private static Finding finding(SavedNvlinks.Gpu gpu, Severity severity, Examination examination) {
    boolean none = inactive(gpu) == State.ALL;
    var holders =
        examination.run().processes().stream()
            .filter(process -> process.nvmlDev() == gpu.index())
            .toList();
    var state = gpu.state();
    var words =
        none
            ? "no NVLink is up"
            : "%d of %d NVLinks are not up".formatted(inactive(gpu), inactive(gpu) + active(gpu));
    return FindingDraft.about(
            FindingKind.LINK_DEGRADED,
            severity,
            examination,
            holders.size() == 1 ? holders : List.<TrainingProcess>of())
        .subject("links of GPU " + gpu.index())
        .summary(
            "GPU %d%s: %s"
                .formatted(
                    gpu.index(), gpu.model().isEmpty() ? "" : " (" + gpu.model() + ")", words))
        .expected(
            severity == Severity.WARNING ? "as many as its peers have" : "links to the other GPUs")
        .observed(words)
        .cause(
            severity == Severity.WARNING
                ? "links that failed to train, or a GPU that the fabric left out: look for Xid 74 and 149, then reset it"
                : "links that failed, MIG, a fabric manager that does not run, or a machine that has none")
        .tryNow("nvidia-smi nvlink -s; nvidia-smi topo -m; systemctl status nvidia-fabricmanager")
        .proof(state == null ? null : state.line())
        .finding();
  }
}
