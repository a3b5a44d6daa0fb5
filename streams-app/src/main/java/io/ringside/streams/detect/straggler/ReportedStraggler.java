package io.ringside.streams.detect.straggler;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.step.RanksCompared;
import io.ringside.streams.parse.event.LoopEvent;
import java.util.ArrayList;
import java.util.List;

/// Finds stragglers from the job's own comparison of its ranks, for logs without calls. The rank
/// must be slow in most reports since the first one that names it. A rank that is slow once, or a
/// different rank each time, is no straggler.
final class ReportedStraggler {
  private static final int LEAST_REPORTS = 3;
  private static final double MOST_OF_THEM = 0.8;

  private ReportedStraggler() {}

  static List<Finding> findings(Examination examination) {
    var findings = new ArrayList<Finding>();
    examination
        .run()
        .steps()
        .compared()
        .forEach(
            (by, reports) ->
                reports
                    .slow()
                    .forEach(
                        (rank, slow) -> {
                          if (slow.times() >= LEAST_REPORTS
                              && slow.times() >= MOST_OF_THEM * reports.reportsSince(slow)) {
                            findings.add(finding(by, rank, slow, reports, examination));
                          }
                        }));
    return findings;
  }

  private static Finding finding(
      LoopEvent.By by,
      int rank,
      RanksCompared.Slow slow,
      RanksCompared reports,
      Examination examination) {
    var says =
        "slower than the other ranks in %d of %d reports"
            .formatted(slow.times(), reports.reportsSince(slow));
    boolean active = reports.still(slow) && !examination.job().ended();
    var draft =
        FindingDraft.ofRanks(FindingKind.STRAGGLER, Severity.WARNING, examination, List.of(rank))
            .subject("rank " + rank)
            .summary("rank %d keeps the others waiting: %s of %s".formatted(rank, says, by.label()))
            .expected("all ranks compute for about as long")
            .observed("%s: rank %d is %s".formatted(by.label(), rank, says))
            .cause(by == LoopEvent.By.MEGATRON_DETECTOR ? "gpu-clock" : "unknown")
            .proofs(slow.proofs());
    if (slow.firstNanos() != NO_TIME && slow.lastNanos() != NO_TIME) {
      draft.between(
          Nanos.instant(slow.firstNanos()), active ? null : Nanos.instant(slow.lastNanos()));
    }
    return (active ? draft : draft.ended()).finding();
  }
}
