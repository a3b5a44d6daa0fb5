package io.ringside.streams.detect.link;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.hardware.SavedNvlinks;
import io.ringside.streams.job.hardware.SavedNvlinks.Look;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/// Finds NVLinks whose errors rose between two saved `nvidia-smi nvlink -e` outputs, while those of
/// the machine's other GPUs did not. A single output proves nothing: errors are counted since the
/// driver was loaded.
public final class SavedNvlinkErrors implements Detector {
  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    if (!examination.newestRun()) {
      return findings;
    }
    var gpus =
        examination.job().nvlinks().values().stream()
            .filter(gpu -> gpu.looks().size() > 1)
            .toList();
    var limit = examination.expectations().thresholds().hardware();
    if (gpus.size() <= NvlinkErrors.LEAST_PEERS) {
      return findings;
    }
    for (var gpu : gpus) {
      var others = gpus.stream().filter(other -> other != gpu).toList();
      long recoveries = gained(gpu, Look::recoveries);
      long errors = gained(gpu, Look::others);
      long usual = NvlinkErrors.middle(others, other -> gained(other, Look::others));
      boolean recovers =
          recoveries >= limit.recoveries()
              && NvlinkErrors.middle(others, other -> gained(other, Look::recoveries)) == 0;
      boolean errs =
          errors >= limit.linkErrors() && errors >= limit.timesPeers() * Math.max(1, usual);
      if (recovers || errs) {
        findings.add(finding(gpu, recoveries, errors, examination));
      }
    }
    return findings;
  }

  /// Difference of the largest and the smallest count. Counters only grow, so the smallest is the
  /// oldest in any order of the files.
  private static long gained(SavedNvlinks.Gpu gpu, ToLongFunction<Look> of) {
    var counts = gpu.looks().stream().mapToLong(of).summaryStatistics();
    return counts.getMax() - counts.getMin();
  }

  private static Finding finding(
      SavedNvlinks.Gpu gpu, long recoveries, long errors, Examination examination) {
    var holders =
        examination.run().processes().stream()
            .filter(process -> process.nvmlDev() == gpu.index())
            .toList();
    var draft =
        FindingDraft.about(
                FindingKind.LINK_DEGRADED,
                Severity.WARNING,
                examination,
                holders.size() == 1 ? holders : List.<TrainingProcess>of())
            .subject("nvlink of GPU " + gpu.index())
            .summary(
                "NVLinks of GPU %d recovered %d times and sent or got %d packets again or damaged, unlike its peers'"
                    .formatted(gpu.index(), recoveries, errors))
            .expected("no more errors than its peers'")
            .observed("%d recoveries, %d other errors meanwhile".formatted(recoveries, errors))
            .cause("a link that is about to fail: have it looked at before it does");
    gpu.looks().stream()
        .max(Comparator.comparingLong(look -> look.recoveries() + look.others()))
        .map(Look::line)
        .ifPresent(draft::proof);
    return draft.finding();
  }
}
