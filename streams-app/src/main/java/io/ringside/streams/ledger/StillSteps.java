package io.ringside.streams.ledger;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.Sight;
import io.ringside.streams.examine.Spoken;
import java.time.Duration;
import java.util.Optional;

/// Steps that end long before their recorded log does, whose other lines go on: those of a monitor
/// beside a job that hangs, or of an evaluation, an export, a server that is left running.
final class StillSteps {
  private static final int LEAST_OBSERVATIONS = 10;

  /// Evaluations and checkpoints take shorter, most of them.
  private static final Duration LEAST = Duration.ofMinutes(5);

  /// Of the usual time between two lines of steps, those in which the job did something else
  /// included.
  private static final int TIMES_USUAL = 20;

  /// Of the longest time between two of them.
  private static final int TIMES_LONGEST = 3;

  private StillSteps() {}

  static Optional<NotJudged> of(Examination examination) {
    var run = examination.run();
    if (examination.sight() != Sight.RECORDED || !examination.newestRun() || run.explained()) {
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
                    .formatted(Spoken.time(Duration.ofNanos(still).toSeconds()))))
        : Optional.empty();
  }
}
