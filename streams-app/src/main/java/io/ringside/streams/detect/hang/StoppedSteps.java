package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.step.DrawnBar;
import io.ringside.streams.job.step.RunSteps.Stride;
import io.ringside.streams.job.step.StepTrack;
import io.ringside.streams.parse.event.LoopEvent;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Finds steps that stop in a recorded log while the program prints the same position again and
/// again: its progress bar shows the same count, or its ranks' heartbeats name the same step. This
/// proves that the program lives and makes no step, but not why. An evaluation, a checkpoint or an
/// upload that prints nothing looks the same, so the finding is a pause.
///
/// Also finds steps that stop before the last one while only lines come that came before as well:
/// those of a monitor. That is a hang once it takes far longer than all that the job came back
/// from.
///
/// ```text
///   Training ━━━━╸━━━━━ 412/2000 0:11:07        [rank 2] step 700 heartbeat
///   Training ━━━━╸━━━━━ 412/2000 0:11:37        [rank 2] step 700 heartbeat
/// ```
final class StoppedSteps {
  /// Most evaluations and checkpoints are shorter.
  private static final Duration LEAST = Duration.ofMinutes(15);

  /// Factor on the usual time between two printed steps.
  private static final int TIMES_USUAL = 15;

  /// Factor on the longest pause that the job has come back from.
  private static final int TIMES_LONGEST = 3;

  /// Of a log in which only a monitor goes on: from here on it is a hang, if it takes so many times
  /// as long as the longest pause too.
  private static final Duration HUNG = Duration.ofMinutes(30);

  private static final int HUNG_TIMES_LONGEST = 10;

  private static final int UNDER_WAY = 20;

  /// Number of times that the program must print the same position.
  private static final int LEAST_TIMES = 5;

  /// A step's line may come this long after lines about the next step.
  private static final long LAST_STEP_NANOS = 5_000_000_000L;

  private StoppedSteps() {}

  /// @param severity of the finding: a note, or critical
  /// @param sinceNanos start of the pause, NO_TIME if unknown
  /// @param usualSeconds usual time between two printed steps
  /// @param by the observation in words
  private record Stand(
      Severity severity,
      long sinceNanos,
      double seconds,
      double usualSeconds,
      String by,
      List<Evidence> proofs) {}

  static List<Finding> examine(Examination examination) {
    var run = examination.run();
    if (examination.mode() != ObservationMode.RECORDED
        || !examination.newestRun()
        || run.explained()) {
      return List.of();
    }
    return bar(examination)
        .or(() -> heartbeats(examination))
        .or(() -> monitors(examination))
        .map(it -> finding(it, examination))
        .stream()
        .toList();
  }

  private static Optional<Stand> bar(Examination examination) {
    return examination.run().steps().tracks().stream()
        .filter(track -> stands(track.bar(), track.total()))
        .map(track -> stand(track.bar(), track))
        .filter(stand -> !wentOn(stand.sinceNanos(), examination))
        .findFirst();
  }

  /// Whether the bar has stopped before its end; a complete bar stays as it is.
  private static boolean stands(DrawnBar bar, long total) {
    return bar.advances() >= UNDER_WAY
        && bar.count() < total
        && bar.draws() >= LEAST_TIMES
        && isLong(bar.standsSeconds(), bar.usualSeconds(), bar.longestSeconds());
  }

  private static boolean isLong(double seconds, double usual, double longest) {
    return seconds >= LEAST.toSeconds()
        && seconds >= TIMES_USUAL * usual
        && seconds >= TIMES_LONGEST * longest;
  }

  private static Stand stand(DrawnBar bar, StepTrack track) {
    var line = bar.line();
    var at = line == null ? null : line.time();
    return new Stand(
        Severity.INFO,
        at == null ? NO_TIME : Nanos.of(at) - Nanos.ofSeconds(bar.standsSeconds()),
        bar.standsSeconds(),
        bar.usualSeconds(),
        "its bar shows %d of %d again and again".formatted(bar.count(), track.total()),
        line == null ? List.of() : List.of(track.series().segments().getLast().line(), line));
  }

  /// Whether another line shows a step or a call since then.
  private static boolean wentOn(long sinceNanos, Examination examination) {
    long last = examination.run().lastMoveNanos();
    return sinceNanos != NO_TIME && last > sinceNanos + LAST_STEP_NANOS;
  }

  /// Heartbeats of ranks in the last step, or in the step that should come next.
  private static Optional<Stand> heartbeats(Examination examination) {
    var run = examination.run();
    var steps = run.steps();
    long last = run.lastMoveNanos();
    long step = steps.tracks().stream().mapToLong(StepTrack::lastStep).max().orElse(-1);
    if (last == NO_TIME || step < 0) {
      return Optional.empty();
    }
    var beats =
        steps.strides().values().stream()
            .filter(it -> it.at().step() == step || it.at().step() == step + 1)
            .filter(it -> it.at().lines() + it.at().beats() >= LEAST_TIMES && it.atNanos() > last)
            .toList();
    long newest = beats.stream().mapToLong(it -> it.atNanos()).max().orElse(last);
    double usual = Nanos.seconds(steps.usualNanos(UNDER_WAY));
    double seconds = Nanos.seconds(newest - last);
    double longest = Nanos.seconds(steps.longestNanos());
    return usual > 0 && isLong(seconds, usual, longest)
        ? Optional.of(
            new Stand(
                Severity.INFO,
                last,
                seconds,
                usual,
                says(beats.stream().map(Stride::at).toList()),
                beats.stream().limit(4).map(it -> it.line()).toList()))
        : Optional.empty();
  }

  /// Lines that go on after the last step, none of a kind that did not come before it.
  private static Optional<Stand> monitors(Examination examination) {
    var run = examination.run();
    var steps = run.steps();
    long last = run.lastMoveNanos();
    long newest = examination.newestLineNanos();
    var track =
        steps.tracks().stream()
            .filter(it -> it.lastStep() >= 0 && it.total() > it.lastStep())
            .max(Comparator.comparingLong(StepTrack::lastStep));
    if (track.isEmpty() || last == NO_TIME || newest == NO_TIME || newest <= last) {
      return Optional.empty();
    }
    double usual = Nanos.seconds(steps.usualNanos(UNDER_WAY));
    double seconds = Nanos.seconds(newest - last);
    double longest = Nanos.seconds(steps.longestNanos());
    boolean nothingNew =
        examination.job().sources().values().stream().allMatch(it -> it.novelNanos() < last);
    if (!nothingNew || usual <= 0 || !isLong(seconds, usual, longest)) {
      return Optional.empty();
    }
    boolean hung = seconds >= HUNG.toSeconds() && seconds >= HUNG_TIMES_LONGEST * longest;
    return Optional.of(
        new Stand(
            hung ? Severity.CRITICAL : Severity.INFO,
            last,
            seconds,
            usual,
            "after step %d of %d only lines came that came before as well"
                .formatted(track.get().lastStep(), track.get().total()),
            List.of(track.get().series().segments().getLast().line())));
  }

  private static String says(List<LoopEvent.RankProgress> beats) {
    var ranks = beats.stream().map(LoopEvent.RankProgress::rank).toList();
    var steps = new TreeSet<>(beats.stream().map(LoopEvent.RankProgress::step).toList());
    return "%s again and again to be in step %s"
        .formatted(
            RankText.clause(ranks, "says", "say"),
            steps.stream().map(String::valueOf).collect(Collectors.joining(" or ")));
  }

  private static Finding finding(Stand stand, Examination examination) {
    var run = examination.run();
    var draft =
        FindingDraft.ofRanks(FindingKind.HANG, stand.severity(), examination, Set.of())
            .summary(
                "%s: no step for %s, after one was told each %s: %s"
                    .formatted(
                        stand.severity() == Severity.INFO ? "paused" : "the job stands still",
                        DurationWords.time(stand.seconds()),
                        DurationWords.time(stand.usualSeconds()),
                        stand.by()))
            .expected("steps go on, or the job ends")
            .observed("the log goes on, and tells no step")
            .cost(new Cost(stand.seconds() * Math.max(1, run.nranks()), null))
            .cause(
                "a hang, or an evaluation, a checkpoint or an upload of which no line tells: ask each rank where it stands");
    if (stand.sinceNanos() != NO_TIME) {
      draft.between(Nanos.instant(stand.sinceNanos()), null);
    }
    draft.proofs(stand.proofs());
    return draft.finding();
  }
}
