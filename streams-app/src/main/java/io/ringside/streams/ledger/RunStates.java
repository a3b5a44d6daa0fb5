package io.ringside.streams.ledger;

import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunSummary.State;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.fact.NodeFacts;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.NodeWatch;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.step.StepSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Determines the state of a run, except whether it failed: that is found later.
final class RunStates {
  private static final Duration SILENT_AFTER = Duration.ofSeconds(60);

  /// Least pause, even with very short steps.
  private static final Duration PAUSED_AFTER = Duration.ofSeconds(10);

  private static final int USUAL_STEPS = 3;
  private static final Comparator<Instant> EARLIEST = Comparator.naturalOrder();

  /// Number of missed reports after which an agent counts as gone; agents report every ten seconds.
  private static final int MISSED_REPORTS = 6;

  private RunStates() {}

  static State of(Examination examination) {
    var job = examination.job();
    var run = examination.run();
    var ending = job.ending(run);
    if (ending.isPresent()) {
      return ending.get().superseded() ? State.SUPERSEDED : State.ENDED;
    }
    if (examination.mode() == ObservationMode.RECORDED) {
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

  /// How long no line was written. If the whole job is silent, the clocks of the writing nodes
  /// decide, else the chunks of the sources that continue. So a node's clock that is ahead makes no
  /// run look active, and one that is behind makes none look silent.
  private static Duration quiet(Examination examination) {
    var run = examination.run();
    var newest = written(examination.job()).max(EARLIEST).orElse(examination.now());
    var byLines =
        wrote(examination.job(), run).stream()
            .map(
                wrote ->
                    Duration.between(wrote.at(), run.silent() ? clock(examination, wrote) : newest))
            .reduce(BinaryOperator.minBy(Comparator.naturalOrder()))
            .orElse(Duration.ZERO);
    return byLines.compareTo(run.silentFor()) < 0 ? run.silentFor() : byLines;
  }

  /// Time when a source of a run last wrote by its node's clock, and when that was read.
  ///
  /// @param node empty if unknown
  private record Wrote(String node, Instant at, Instant readAt) {}

  /// The last writes of the sources of its processes; of all sources if the run has no processes.
  private static List<Wrote> wrote(JobState job, Run run) {
    return run.processes().isEmpty()
        ? job.sources().values().stream().flatMap(source -> wrote("", source)).toList()
        : run.processes().stream()
            .map(TrainingProcess::source)
            .flatMap(source -> wrote(source.node(), job.sources().get(source.id())))
            .toList();
  }

  private static Stream<Wrote> wrote(String node, JobState.@Nullable Source source) {
    if (source == null || source.readAt() == null) {
      return Stream.empty();
    }
    var readAt = source.readAt();
    return source.wroteAt().stream().map(at -> new Wrote(node, at, readAt));
  }

  private static Stream<Instant> written(JobState job) {
    return job.sources().values().stream().map(JobState.Source::wroteAt).flatMap(Optional::stream);
  }

  /// The node's current time as its agent last reported it, but at least the time of reading plus
  /// the job's silence.
  private static Instant clock(Examination examination, Wrote wrote) {
    var since = wrote.readAt().plus(examination.run().silentFor());
    return examination
        .job()
        .watch(wrote.node())
        .flatMap(NodeWatch::last)
        .map(report -> report.at().isAfter(since) ? report.at() : since)
        .orElse(examination.now());
  }

  /// Whether all agents of the run's nodes reported once, and none does any more.
  private static boolean agentsGone(Examination examination) {
    var job = examination.job();
    var run = examination.run();
    var nodes = new TreeMap<String, Instant>();
    for (var process : run.processes()) {
      var source = process.source();
      var known = job.sources().get(source.id());
      if (known != null && known.readAt() != null) {
        nodes.merge(source.node(), known.readAt(), BinaryOperator.maxBy(EARLIEST));
      }
    }
    return !nodes.isEmpty()
        && nodes.entrySet().stream()
            .allMatch(
                node ->
                    job.watch(node.getKey()).flatMap(NodeWatch::last).stream()
                        .anyMatch(
                            report -> overdue(report, node.getValue().plus(run.silentFor()))));
  }

  /// @param now current time by the agent's own clock, or later
  private static boolean overdue(NodeFacts last, Instant now) {
    var most = Duration.ofMillis(Math.round(MISSED_REPORTS * last.intervalSeconds() * 1000));
    var silence = Duration.between(last.at(), now);
    return silence.compareTo(SILENT_AFTER) >= 0 && silence.compareTo(most) >= 0;
  }

  /// How long a run may be without lines because its steps are long.
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
            .mapToDouble(comm -> comm.waits().stepSeconds())
            .max()
            .orElse(0);
    return Duration.ofMillis(Math.round(1000 * USUAL_STEPS * Math.max(bySteps, byCalls)));
  }

  private static double betweenLines(StepSeries.Segment segment) {
    return segment.observations() == 0
        ? 0
        : Nanos.seconds(segment.untilNanos() - segment.sinceNanos()) / segment.observations();
  }
}
