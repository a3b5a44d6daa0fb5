package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.fact.GpuLink;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.hardware.LinkHistory;
import io.ringside.streams.job.hardware.LinkHistory.Look;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// GPUs whose PCIe is slower than it can be while the run's other GPUs' is not, whose memory waits for a row to be remapped or has
/// none left, or corrects many single-bit errors. An idle GPU lowers its PCIe's generation: only busy ones are looked at.
public final class WeakGpus implements Detector {
  private static final int LEAST_PEERS = 3;

  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    if (!examination.newestRun()) {
      return findings;
    }
    var links = examination.run().links();
    var limit = examination.expectations().thresholds().hardware();
    for (var process : examination.run().byRank()) {
      var own = links.get(process.id());
      if (own != null && !own.recent().isEmpty()) {
        rows(process, own, examination, findings);
        if (slow(own, limit) && othersAreNot(own, links.values(), limit)) {
          findings.add(pcie(process, own, examination));
        }
        if (corrects(own, limit)) {
          findings.add(corrected(process, own, examination));
        }
      }
    }
    return findings;
  }

  private static void rows(
      TrainingProcess process, LinkHistory own, Examination examination, List<Finding> findings) {
    var link = own.recent().getLast().link();
    if (link.failed() > 0) {
      findings.add(
          draft("rows", Severity.CRITICAL, process, own, examination)
              .summary("a row of GPU %s's memory could not be remapped".formatted(own.busId()))
              .expected("rows that can be remapped")
              .observed("remapped_rows.failure")
              .cause("its memory has no spare rows there: drain the node and have the GPU replaced")
              .finding());
    } else if (link.pending() > 0) {
      findings.add(
          draft("rows", Severity.WARNING, process, own, examination)
              .summary("a row of GPU %s's memory waits to be remapped".formatted(own.busId()))
              .expected("no row that waits")
              .observed("remapped_rows.pending")
              .cause("an uncorrectable error was contained: reset the GPU when it is idle")
              .finding());
    }
  }

  /// Busy in all of the last looks, and slow in each.
  private static boolean slow(LinkHistory history, Thresholds.Hardware limit) {
    return history.recent().size() == LinkHistory.RECENT
        && history.recent().stream()
            .allMatch(look -> busy(look.link(), limit) && slow(look.link()));
  }

  private static boolean busy(GpuLink link, Thresholds.Hardware limit) {
    return link.busy() >= limit.busyPercent();
  }

  private static boolean slow(GpuLink link) {
    return link.gen() > 0 && link.gen() < link.genMax()
        || link.width() > 0 && link.width() < link.widthMax();
  }

  /// Whether most of at least three others that are busy are at their full speed.
  private static boolean othersAreNot(
      LinkHistory own, Collection<LinkHistory> all, Thresholds.Hardware limit) {
    var others =
        all.stream()
            .filter(other -> other != own && !other.recent().isEmpty())
            .map(other -> other.recent().getLast().link())
            .filter(link -> busy(link, limit) && link.gen() > 0)
            .toList();
    long slow = others.stream().filter(WeakGpus::slow).count();
    return others.size() >= LEAST_PEERS && 2 * slow < others.size();
  }

  private static boolean corrects(LinkHistory history, Thresholds.Hardware limit) {
    return history.recent().stream()
            .filter(look -> look.link().corrected() >= limit.corrected())
            .count()
        >= 2;
  }

  private static Finding pcie(TrainingProcess process, LinkHistory own, Examination examination) {
    var link = own.recent().getLast().link();
    return draft("pcie", Severity.WARNING, process, own, examination)
        .summary(
            "PCIe of GPU %s runs at generation %d with %d lanes, it can generation %d with %d"
                .formatted(own.busId(), link.gen(), link.width(), link.genMax(), link.widthMax()))
        .expected("generation %d, %d lanes".formatted(link.genMax(), link.widthMax()))
        .observed("generation %d, %d lanes, while it is busy".formatted(link.gen(), link.width()))
        .cause(
            "the slot, the riser or the GPU's connector: reseat it, look for AER lines in the kernel's log")
        .finding();
  }

  private static Finding corrected(
      TrainingProcess process, LinkHistory own, Examination examination) {
    long errors =
        own.recent().stream().mapToLong(look -> Math.max(0, look.link().corrected())).sum();
    return draft("ecc", Severity.INFO, process, own, examination)
        .summary(
            "GPU %s corrected %d single-bit errors of its memory within %d looks"
                .formatted(own.busId(), errors, own.recent().size()))
        .expected("few")
        .observed(errors + " corrected errors")
        .cause("memory that weakens: watch for Xid 92 and 63, have it tested if it goes on")
        .finding();
  }

  private static FindingDraft draft(
      String subject,
      Severity severity,
      TrainingProcess process,
      LinkHistory own,
      Examination examination) {
    var draft =
        FindingDraft.about(FindingKind.GPU_ERROR, severity, examination, List.of(process))
            .subject(subject + " " + own.busId())
            .gpu(own.busId());
    own.recent().forEach(look -> draft.proof(line(process, own.busId(), look)));
    return draft;
  }

  private static Evidence line(TrainingProcess process, String busId, Look look) {
    var link = look.link();
    return new Evidence(
        Nanos.instant(look.atNanos()),
        process.source().node(),
        process.source().pod(),
        "nvidia-smi",
        -1,
        "GPU %s: %d %% busy, PCIe generation %d of %d, %d of %d lanes; rows pending %d, failed %d; %d corrected errors since the look before"
            .formatted(
                busId,
                link.busy(),
                link.gen(),
                link.genMax(),
                link.width(),
                link.widthMax(),
                Math.max(0, link.pending()),
                Math.max(0, link.failed()),
                Math.max(0, link.corrected())));
  }
}
