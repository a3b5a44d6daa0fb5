package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.Ranks;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.step.RunSteps.Missing;
import java.util.ArrayList;
import java.util.List;

/// A pause of which the program itself speaks: Horovod's stall inspector and XLA's rendezvous. A note, for rank 0 that
/// evaluates is waited for just so, and either speaks long before its own time-out.
final class Missed {
  private Missed() {}

  static List<Finding> examine(Examination examination) {
    return examination.run().steps().missing().map(it -> finding(it, examination)).stream()
        .toList();
  }

  private static Finding finding(Missing missing, Examination examination) {
    var run = examination.run();
    var processes = new ArrayList<TrainingProcess>();
    missing.ranks().forEach(rank -> run.ofRank(rank).ifPresent(processes::add));
    var whom = missing.ranks().isEmpty() ? "others" : Ranks.words(missing.ranks());
    var draft =
        FindingDraft.about(FindingKind.HANG, Severity.INFO, examination, processes)
            .subject("missing")
            .summary(
                "paused: ranks wait for %s in a collective, says %s"
                    .formatted(whom, missing.by().label()))
            .expected("every rank makes every collective call")
            .observed("no line says that %s came".formatted(whom))
            .cause("unknown: late, dead, or in another call")
            .proof(missing.line());
    missing.ranks().forEach(draft::rank);
    if (missing.atNanos() != NO_TIME) {
      draft.between(Nanos.instant(missing.atNanos()), null);
    }
    return draft.finding();
  }
}
