package io.ringside.streams.detect.link;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.HostLinks;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.ledger.LastGoodRun;
import io.ringside.streams.ledger.LinkLoss;
import java.util.Collection;
import java.util.Optional;

/// Finds links that are worse on every host than in the job's last good run, which had as many
/// ranks on the same machines with the same NCCL and variables. No host of this run can serve as a
/// reference then.
final class LostLinks {
  private LostLinks() {}

  static Optional<Finding> of(Examination examination) {
    var run = examination.line();
    if (run == null || run.links() == null) {
      return Optional.empty();
    }
    return LastGoodRun.ofLinks(examination.earlier(), run)
        .flatMap(
            before ->
                LinkLoss.between(LastGoodRun.links(before), LastGoodRun.links(run))
                    .map(loss -> finding(loss, before, examination)));
  }

  private static Finding finding(LinkLoss loss, RunSummary before, Examination examination) {
    var good = LastGoodRun.links(before);
    var weak =
        HostLinks.of(examination).stream()
            .filter(host -> LinkLoss.between(good, host.links()).isPresent())
            .toList();
    var processes = weak.stream().map(HostLinks::processes).flatMap(Collection::stream).toList();
    var draft =
        FindingDraft.about(FindingKind.LINK_DEGRADED, Severity.WARNING, examination, processes)
            .subject("since the last run " + loss.what())
            .summary(
                "%s, in the last good run %s (%s)"
                    .formatted(
                        switch (loss.what()) {
                          case NVLINK -> "NVLink of each GPU carries " + loss.is();
                          case PCIE -> "PCIe of each GPU carries " + loss.is();
                          case RINGS -> "NCCL found " + loss.is();
                        },
                        loss.was(),
                        RankText.words(processes.stream().map(examination.run()::rank).toList())))
            .expected(
                "%s, as in run %s (attempt %d)"
                    .formatted(loss.was(), before.run(), before.attempt()))
            .observed(loss.is())
            .cause(NarrowHosts.cause(loss.what()) + "; or the job came to another kind of machine");
    NarrowHosts.commands(loss.what()).forEach(draft::tryNow);
    weak.stream().limit(3).forEach(host -> draft.proofs(host.proofs()));
    return draft.finding();
  }
}
