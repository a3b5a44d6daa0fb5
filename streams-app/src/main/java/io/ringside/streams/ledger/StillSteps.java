package io.ringside.streams.ledger;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.ObservationMode;
import java.time.Duration;
import java.util.Optional;

/// Steps that end long before their recorded log, whose other lines continue: lines of a monitor
/// beside a hung job, or of an evaluation, an export, or a server that is left running.
final class StillSteps {
  private static final int LEAST_OBSERVATIONS = 10;

  /// Least time without a step. Most evaluations and checkpoints take less.
  private static final Duration LEAST = Duration.ofMinutes(5);

  /// Multiple of the usual time between two step lines, including times when the job did something
  /// else.
  private static final int TIMES_USUAL = 20;

  /// Multiple of the longest time between two step lines.
  private static final int TIMES_LONGEST = 3;

  private StillSteps() {}

  static Optional<NotJudged> of(Examination examination) {
    var run = examination.run();
    if (examination.mode() != ObservationMode.RECORDED
        || !examination.newestRun()
        || run.explained()) {
      return Optional.empty();
    }
    long last = run.lastMoveNanos();
    long newest = Math.max(examination.newestLineNanos(), run.steps().toldNanos());
    long still = last == NO_TIME || newest == NO_TIME ? 0 : newest - last;
    long usual = run.steps().usualNanos(LEAST_OBSERVATIONS);
    return still >= LEAST.toNanos()
            && usual > 0
            && still >= TIMES_USUAL * usual
            && still >= TIMES_LONGEST * run.steps().longestNanos()
        ? Optional.of(
            new NotJudged(
                NotJudged.PROGRESS,
                "no step in the last %s while the log goes on: a hang, or work that no line calls a step"
                    .formatted(DurationWords.time(Duration.ofNanos(still).toSeconds()))))
        : Optional.empty();
  }
}
