package io.ringside.streams.detect.step;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.detect.straggler.Straggler;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.StepTimes;
import io.ringside.streams.examine.StepTimes.Stretch;
import io.ringside.streams.job.step.StepTrack;
import io.ringside.streams.ledger.Comparison;
import io.ringside.streams.ledger.LastGoodRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds steps that take longer than earlier in the run, or than in the job's last good run with
/// the same batch.
public final class StepRegression implements Detector {

  /// A straggler explains slower steps if it accounts for at least this share of the extra time.
  private static final double EXPLAINS = 0.5;

  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    var limit = examination.expectations().thresholds().steps();
    StepTimes.slowed(examination.run().steps().tracks(), limit)
        .ifPresent(slowed -> findings.add(withinRun(slowed, examination)));
    acrossRuns(examination).ifPresent(findings::add);
    return findings;
  }

  private static Finding withinRun(StepTimes.Slowed slowed, Examination examination) {
    var track = slowed.track();
    var slow = slowed.stretches();
    var last = slow.getLast();
    long offset = track.offsetNanos();
    var since = time(last.first().sinceNanos(), offset);
    var until = time(last.last().untilNanos(), offset);
    boolean active = last.open() && !examination.job().ended();
    double lost = slow.stream().mapToDouble(Stretch::lostSeconds).sum();
    var straggler = straggler(examination, since, until, last.ratio());
    // the last line alone may be of a step that was fast again
    boolean more =
        Stream.of(last.first(), last.last())
            .allMatch(after -> Throughput.held(last.before().line().text(), after.line().text()));
    return FindingDraft.about(
            FindingKind.STEP_REGRESSION,
            straggler == null && !more ? Severity.WARNING : Severity.INFO,
            examination,
            List.of())
        .held(since, until, active)
        .summary(
            "steps take %.1f times as long as before: %s instead of %s for %d steps%s"
                .formatted(
                    last.ratio(),
                    DurationWords.time(last.millis() / 1000),
                    DurationWords.time(last.baselineMillis() / 1000),
                    last.steps(),
                    slow.size() == 1 ? "" : ", the last of " + slow.size() + " such times"))
        .expected(
            DurationWords.time(last.baselineMillis() / 1000) + ", the run's own median before")
        .observed("%s (%s)".formatted(DurationWords.time(last.millis() / 1000), words(track)))
        .cost(new Cost(lost * ranks(examination), last.ratio()))
        .cause(more ? "each step does more: as much is done in a second as before" : straggler)
        .proof(last.before().line())
        .proof(last.first().line())
        .proof(last.last().line())
        .finding();
  }

  private static String words(StepTrack track) {
    return switch (track.source()) {
      case MEGATRON -> "Megatron-LM's iteration lines";
      case DEEPSPEED_PIPELINE -> "DeepSpeed's pipeline engine";
      case DEEPSPEED_TIMERS -> "rank 0's timers, which cannot tell waiting from work";
      case DEEPSPEED_SAMPLES, DEEPSPEED_STEPS -> "DeepSpeed's step lines";
      case PROGRESS_BAR -> "the progress bar";
      case LOOP_TIMES, LOOP_STEPS -> "the training loop's own lines";
      case TRAINER_METRICS -> "the Trainer's metrics";
    };
  }

  /// The straggler of that time in words, if there is one that costs enough to explain the steps;
  /// else null. It has a finding of its own.
  private static @Nullable String straggler(
      Examination examination, @Nullable Instant since, @Nullable Instant until, double ratio) {
    for (var finding : new Straggler().examine(examination)) {
      var begin = finding.since();
      var end = finding.until();
      boolean apart =
          (begin != null && until != null && begin.isAfter(until))
              || (end != null && since != null && end.isBefore(since));
      var slowdown = finding.cost().slowdown();
      boolean little = slowdown != null && slowdown - 1 < EXPLAINS * (ratio - 1);
      if (!apart && !little) {
        return "straggler: " + finding.summary();
      }
    }
    return null;
  }

  private static Optional<Finding> acrossRuns(Examination examination) {
    var run = examination.line();
    var limit = examination.expectations().thresholds().steps();
    if (run == null) {
      return Optional.empty();
    }
    return LastGoodRun.ofSteps(examination.earlier(), run, limit.runRatio(), limit.runSteps())
        .flatMap(good -> acrossRuns(good, run, examination));
  }

  private static Optional<Finding> acrossRuns(
      RunSummary good, RunSummary run, Examination examination) {
    var comparison = Comparison.of(good, run);
    var ratio = comparison.stepRatio();
    var steps = Comparison.steps(run);
    var now = steps == null ? null : Comparison.millis(steps);
    var track = examination.run().steps().tracks().stream().findFirst();
    // in a running job, a few lines show its first checkpoint rather than its usual steps
    boolean few =
        steps != null
            && steps.baselineMillis() == null
            && !examination.job().over(examination.run());
    if (ratio == null
        || steps == null
        || now == null
        || few
        || track.isEmpty()
        || statesTokens(track.get())
        || ratio < examination.expectations().thresholds().steps().runRatio()) {
      return Optional.empty();
    }
    var segments = track.get().series().segments();
    double lost = Comparison.lostSeconds(steps, now, ratio);
    return Optional.of(
        FindingDraft.about(FindingKind.STEP_REGRESSION, Severity.WARNING, examination, List.of())
            .subject(LastGoodRun.SUBJECT)
            .between(time(segments.getFirst().sinceNanos(), track.get().offsetNanos()), null)
            .summary(
                "steps take %.1f times as long as in the last good run: %s instead of %s"
                    .formatted(
                        ratio,
                        DurationWords.time(now / 1000),
                        DurationWords.time(now / ratio / 1000)))
            .expected(
                "%s, as in run %s (attempt %d)"
                    .formatted(DurationWords.time(now / ratio / 1000), good.run(), good.attempt()))
            .observed(
                "%s at the same batch of %.0f (%s)"
                    .formatted(
                        DurationWords.time(now / 1000), steps.globalBatch(), words(track.get())))
            .cost(new Cost(lost * ranks(examination), ratio))
            .cause(
                comparison
                    .worseTransport()
                    .map(change -> "transport is worse: " + change)
                    .orElse(null))
            .proof(segments.getFirst().line())
            .proof(segments.getLast().line())
            .proofs(transportLines(comparison, good, run))
            .finding());
  }

  /// Whether the program states how many tokens its steps work on: in reinforcement learning, where
  /// they change all the time, so that a step of one run says nothing about one of another.
  private static boolean statesTokens(StepTrack track) {
    return track.series().segments().stream().anyMatch(segment -> segment.stepsOfTokens() > 0);
  }

  /// If the transport explains it, the lines that show it in both runs.
  private static List<Evidence> transportLines(
      Comparison comparison, RunSummary good, RunSummary run) {
    var lines = new ArrayList<Evidence>();
    if (comparison.worseTransport().isPresent()) {
      for (var summary : List.of(run, good)) {
        summary.checklist().stream()
            .filter(check -> check.name().startsWith("transport"))
            .map(Check::line)
            .filter(line -> line != null)
            .limit(1)
            .forEach(lines::add);
      }
    }
    return lines;
  }

  private static @Nullable Instant time(long nanos, long offset) {
    return offset == NO_TIME ? null : Nanos.instant(nanos + offset);
  }

  private static int ranks(Examination examination) {
    return Math.max(1, examination.run().nranks());
  }
}
