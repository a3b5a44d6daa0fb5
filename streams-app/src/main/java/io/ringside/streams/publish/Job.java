package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One job with its runs and findings.
///
/// @param runs newest first; empty if only findings mention the job
/// @param findings most important first
public record Job(JobKey key, List<RunSummary> runs, List<Finding> findings) {
  private static final Comparator<RunSummary> OLDEST_FIRST =
      Comparator.comparingInt(RunSummary::attempt)
          .thenComparing(RunSummary::since, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(RunSummary::run);

  public Job {
    runs = runs.stream().sorted(OLDEST_FIRST.reversed()).toList();
    findings = FindingOrder.of(findings, runs);
  }

  /// The newest run.
  public Optional<RunSummary> current() {
    return runs.stream().findFirst();
  }

  /// Whether any run still writes lines.
  public boolean running() {
    return runs.stream().anyMatch(run -> run.state().speaks());
  }

  /// State of the job: the state of its newest run that is not over, else of its newest run. Empty
  /// if no run is known.
  public Optional<RunSummary.State> state() {
    return runs.stream()
        .map(RunSummary::state)
        .filter(state -> !state.over())
        .findFirst()
        .or(() -> current().map(RunSummary::state));
  }

  /// Whether any run is not over.
  public boolean goesOn() {
    return state().map(state -> !state.over()).orElse(false);
  }

  /// Why the newest run failed, if no run of the job continues.
  public Optional<Finding> death() {
    return current()
        .filter(run -> run.state() == RunSummary.State.FAILED && !goesOn())
        .flatMap(
            run ->
                findings.stream()
                    .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
                    .filter(finding -> finding.run().equals(run.run()))
                    .findFirst());
  }

  /// The newest run and those that are not over.
  public List<RunSummary> liveRuns() {
    return runs.stream()
        .filter(run -> !run.state().over() || run.run().equals(runs.getFirst().run()))
        .toList();
  }

  /// Findings about the job itself, its newest run or a run that is not over.
  public List<Finding> live() {
    Set<String> live =
        runs.isEmpty()
            ? findings.stream().map(Finding::run).collect(Collectors.toSet())
            : liveRuns().stream().map(RunSummary::run).collect(Collectors.toSet());
    return findings.stream()
        .filter(finding -> finding.run().isEmpty() || live.contains(finding.run()))
        .toList();
  }

  /// Findings that hold now: the active ones among {@link #live}. Active findings of an old run say
  /// nothing about the present.
  public List<Finding> active() {
    return live().stream().filter(finding -> finding.state() == Finding.State.ACTIVE).toList();
  }

  /// The worst severity of the active findings and of the newest run's failure, empty if there are
  /// none.
  public Optional<Severity> worst() {
    return Stream.concat(active().stream(), death().stream())
        .map(Finding::severity)
        .max(Comparator.naturalOrder());
  }

  /// The worst finding's severity; else `ok`, or `unknown` if nothing of the newest run could be
  /// judged. The verdict of a job that is over keeps its findings, although none of them still
  /// holds.
  public String verdict() {
    return (goesOn() ? worst() : left()).map(Severity::label).orElse(judged() ? "ok" : "unknown");
  }

  private Optional<Severity> left() {
    return live().stream().map(Finding::severity).max(Comparator.naturalOrder());
  }

  /// Whether anything of the newest run could be judged.
  public boolean judged() {
    return current().map(RunSummary::judged).orElse(false);
  }
}
