package io.ringside.streams.detect.link;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.TrainingProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Finds links that carry less than they should according to NCCL's GRAPH lines: fewer NVLinks than
/// the other direction, the other GPUs or the machine's type have; a PCIe slot with fewer lanes; an
/// HCA port that came up slower than on the other hosts; a host whose links or rings are worse than
/// those of a similar host, or of the job's last good run.
///
/// NCCL prints what driver and firmware report about the links, not what the links carry. Links
/// that are up but full of errors are not detected.
public final class LinkDegraded implements Detector {
  private static final int MAX_CLAIMS = 8;

  /// NCCL reads PCIe and NVLinks from this file if it has them (src/graph/topo.cc).
  private static final String TOPOLOGY = "NCCL_TOPO_FILE";

  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    // every rank of a host prints the links of the whole host
    var told = new LinkedHashMap<String, Set<TrainingProcess>>();
    var links = new LinkedHashMap<String, WeakLink>();
    for (var process : examination.run().byRank()) {
      if (process.ways().isEmpty() && process.slots().isEmpty()) {
        continue;
      }
      for (var weak : GpuLinks.of(process).weak(examination.instanceType(process))) {
        var key = process.node() + "|" + process.source().pod() + "|" + weak.subject();
        links.putIfAbsent(key, weak);
        told.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(process);
      }
    }
    links.forEach(
        (key, weak) -> {
          if (findings.size() < MAX_CLAIMS) {
            findings.add(finding(weak, told.getOrDefault(key, Set.of()), examination));
          }
        });
    SlowPorts.of(examination).stream().limit(MAX_CLAIMS).forEach(findings::add);
    if (findings.isEmpty()) {
      NarrowHosts.of(examination)
          .or(() -> SlowHosts.of(examination))
          .or(() -> LostLinks.of(examination))
          .ifPresent(findings::add);
    }
    return findings;
  }

  /// Whether the links may come from a file that somebody gave to NCCL instead of from the driver.
  /// Files of plugins and of known machines contain only PCIe and network cards.
  private static boolean writtenByHand(TrainingProcess process, Examination examination) {
    var file = process.wanted(TOPOLOGY);
    return file != null && !file.byPlugin() && examination.instanceType(process).isEmpty();
  }

  private static Finding finding(
      WeakLink weak, Set<TrainingProcess> printers, Examination examination) {
    var first = printers.iterator().next();
    var owners =
        examination.run().processes().stream()
            .filter(
                process ->
                    process.node().equals(first.node())
                        && process.busId() != null
                        && weak.gpus().contains(process.busId()))
            .toList();
    var named = owners.isEmpty() ? List.copyOf(printers) : owners;
    boolean written = writtenByHand(first, examination);
    return FindingDraft.about(
            FindingKind.LINK_DEGRADED,
            written ? Severity.INFO : Severity.WARNING,
            examination,
            named)
        .subject(weak.subject())
        .summary(
            "%s (%s)"
                .formatted(
                    weak.summary(),
                    RankText.words(named.stream().map(examination.run()::rank).toList())))
        .expected(weak.expected())
        .observed(weak.observed())
        .cause(
            written
                ? weak.cause() + "; or %s says so, which NCCL believes".formatted(TOPOLOGY)
                : weak.cause())
        .tryNow(weak.tryNow())
        .proofs(weak.proofs())
        .finding();
  }
}
