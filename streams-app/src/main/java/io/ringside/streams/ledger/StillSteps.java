package io.ringside.streams.ledger;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.Sight;
import io.ringside.streams.examine.Spoken;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.step.StepSeries.Segment;
import io.ringside.streams.job.step.StepTrack;
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
    if (examination.sight() != Sight.RECORDED
        || !examination.newestRun()
        || run.done()
        || run.steps().finished()
        || run.failures().told()
        || !run.watchdogs().isEmpty()) {
      return Optional.empty();
    }
    long last = Math.max(run.steps().lastNanos(), run.lastCallNanos());
    long newest = Math.max(examination.newestLineNanos(), run.steps().toldNanos());
    long still = last == NO_TIME || newest == NO_TIME ? 0 : newest - last;
    return still >= LEAST.toNanos()
            && usual(run) > 0
            && still >= TIMES_USUAL * usual(run)
            && still >= TIMES_LONGEST * longest(run)
        ? Optional.of(
            new NotJudged(
                NotJudged.PROGRESS,
                "no step in the last %s while the log goes on: a hang, or work that no line calls a step"
                    .formatted(Spoken.time(Duration.ofNanos(still).toSeconds()))))
        : Optional.empty();
  }

  /// The longest usual time between two lines of steps; 0 if too few lines tell.
  private static long usual(Run run) {
    return run.steps().tracks().stream()
        .map(track -> track.series())
        .filter(series -> series.observations() >= LEAST_OBSERVATIONS)
        .flatMap(series -> series.segments().stream())
        .mapToLong(StillSteps::spacing)
        .max()
        .orElse(0);
  }

  private static long longest(Run run) {
    return run.steps().tracks().stream().mapToLong(StepTrack::longestNanos).max().orElse(0);
  }

  private static long spacing(Segment segment) {
    return (segment.untilNanos() - segment.sinceNanos()) / Math.max(1, segment.observations());
  }
}
