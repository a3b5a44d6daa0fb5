package io.ringside.streams.ledger;

import io.ringside.schemas.event.RunSummary.State;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.fact.NodeFacts;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.NodeWatch;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.step.StepSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/// Where a run stands in its life, but for what it died of: that is found later.
final class RunStates {
  private static final Duration SILENT_AFTER = Duration.ofSeconds(60);

  /// However short the steps are.
  private static final Duration PAUSED_AFTER = Duration.ofSeconds(10);

  private static final int USUAL_STEPS = 3;

  /// An agent that reports every ten seconds and has not for so many times is gone.
  private static final int MISSED_REPORTS = 6;

  private RunStates() {}

  static State of(Examination examination) {
    var job = examination.job();
    var run = examination.run();
    var ending = job.ending(run);
    if (ending.isPresent()) {
      return ending.get().superseded() ? State.SUPERSEDED : State.ENDED;
    }
    if (!job.live()) {
      return State.RUNNING;
    }
    var quiet = quiet(examination);
    if (quiet.compareTo(SILENT_AFTER) >= 0) {
      return agentsGone(examination) ? State.LOST : State.SILENT;
    }
    if (!run.begun()) {
      return State.STARTING;
    }
    return quiet.compareTo(PAUSED_AFTER) >= 0 && quiet.compareTo(usual(run)) >= 0
        ? State.PAUSED
        : State.RUNNING;
  }

  /// For how long nobody has written a line: by the clock where the whole job is silent, else by the chunks of those that go on.
  private static Duration quiet(Examination examination) {
    var job = examination.job();
    var run = examination.run();
    var last = newestRead(job, run);
    var now = run.silent() ? Optional.of(examination.now()) : job.newestRead();
    return last.isEmpty() || now.isEmpty() || now.get().isBefore(last.get())
        ? Duration.ZERO
        : Duration.between(last.get(), now.get());
  }

  private static Optional<Instant> newestRead(JobState job, Run run) {
    return run.processes().isEmpty()
        ? job.newestRead()
        : run.processes().stream()
            .map(process -> job.sources().get(process.source().id()))
            .filter(source -> source != null && source.live())
            .map(JobState.Source::readAt)
            .flatMap(Stream::ofNullable)
            .max(Instant::compareTo);
  }

  /// Whether all agents of its nodes reported, and none does any more.
  private static boolean agentsGone(Examination examination) {
    var nodes =
        examination.run().processes().stream()
            .map(TrainingProcess::source)
            .map(source -> source.node())
            .distinct()
            .toList();
    return !nodes.isEmpty()
        && nodes.stream()
            .allMatch(
                node ->
                    examination.job().watch(node).flatMap(NodeWatch::last).stream()
                        .anyMatch(report -> overdue(report, examination.now())));
  }

  private static boolean overdue(NodeFacts last, Instant now) {
    var most = Duration.ofMillis(Math.round(MISSED_REPORTS * last.intervalSeconds() * 1000));
    var silence = Duration.between(last.at(), now);
    return silence.compareTo(SILENT_AFTER) >= 0 && silence.compareTo(most) >= 0;
  }

  /// How long a run may say nothing because its steps take long.
  private static Duration usual(Run run) {
    double bySteps =
        run.steps().tracks().stream()
            .map(track -> track.series().segments())
            .filter(segments -> !segments.isEmpty())
            .mapToDouble(segments -> betweenLines(segments.getLast()))
            .max()
            .orElse(0);
    double byCalls =
        run.communicators().stream()
            .map(Communicator::rounds)
            .mapToDouble(rounds -> rounds.stepSeconds())
            .max()
            .orElse(0);
    return Duration.ofMillis(Math.round(1000 * USUAL_STEPS * Math.max(bySteps, byCalls)));
  }

  private static double betweenLines(StepSeries.Segment segment) {
    return segment.observations() == 0
        ? 0
        : (segment.untilNanos() - segment.sinceNanos()) / 1e9 / segment.observations();
  }
}
