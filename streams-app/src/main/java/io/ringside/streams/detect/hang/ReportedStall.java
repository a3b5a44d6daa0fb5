package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.step.RunSteps.Missing;
import io.ringside.streams.parse.event.LoopEvent;
import java.util.List;

/// Reports a pause that the program itself reports: Horovod's stall inspector, XLA's rendezvous,
/// SGLang's watchdog. It is INFO at first, because waiting for rank 0 during an evaluation looks
/// the same, and these reports come long before the program's own time-out. It is a hang once it is
/// reported for longer than any pause that the job has come back from.
final class ReportedStall {
  private ReportedStall() {}

  static List<Finding> examine(Examination examination) {
    return examination.run().steps().missing().map(it -> finding(it, examination)).stream()
        .toList();
  }

  private static Finding finding(Missing missing, Examination examination) {
    var run = examination.run();
    var ranks = missing.culprits(run.nranks());
    var whom = ranks.isEmpty() ? "others" : RankText.words(ranks);
    var severity =
        Pause.severity(missing.time(), Pause.CRITICAL_AFTER, run.steps().longestMissing());
    var says = says(missing, whom);
    var draft =
        FindingDraft.ofRanks(FindingKind.HANG, severity, examination, ranks)
            .subject("missing")
            .summary(
                severity == Severity.INFO
                    ? "paused: " + says
                    : "the job hangs: %s for %s"
                        .formatted(says, DurationWords.time(missing.time().toSeconds())))
            .expected("every rank makes every collective call")
            .observed(
                missing.by() == LoopEvent.By.SGLANG
                    ? "a batch that does not end"
                    : "no line says that %s came".formatted(whom))
            .cause("unknown: late, dead, or in another call")
            .proof(missing.line());
    if (missing.atNanos() != NO_TIME) {
      draft.between(Nanos.instant(missing.atNanos()), null);
    }
    return draft.finding();
  }

  private static String says(Missing missing, String whom) {
    var by = missing.by().label();
    return switch (missing.by()) {
      case SGLANG -> "no batch of the engine ends, says " + by;
      case HOROVOD, XLA, NVRX, MEGATRON, MEGATRON_DETECTOR ->
          "ranks wait for %s in a collective, says %s".formatted(whom, by);
    };
  }
}
