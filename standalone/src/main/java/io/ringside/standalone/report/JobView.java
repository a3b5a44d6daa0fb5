package io.ringside.standalone.report;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.publish.FindingOrder;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Everything known about one job.
///
/// @param runs sorted by attempt
/// @param findings the most important ones first
/// @param leftOut further findings that the user did not ask for
public record JobView(
    JobKey key, List<RunSummary> runs, List<Finding> findings, List<Finding> leftOut) {
  public JobView {
    runs = runs.stream().sorted(comparingInt(RunSummary::attempt)).toList();
    findings = FindingOrder.of(findings, runs);
    leftOut = List.copyOf(leftOut);
  }

  /// Every job that has a run or a finding, sorted by cluster, namespace and name.
  public static List<JobView> of(Collection<RunSummary> runs, Collection<Finding> findings) {
    return Stream.concat(runs.stream().map(JobKey::of), findings.stream().map(JobKey::of))
        .distinct()
        .sorted(
            comparing(JobKey::cluster).thenComparing(JobKey::namespace).thenComparing(JobKey::job))
        .map(
            key ->
                new JobView(
                    key,
                    runs.stream().filter(run -> JobKey.of(run).equals(key)).toList(),
                    findings.stream().filter(each -> JobKey.of(each).equals(key)).toList(),
                    List.of()))
        .toList();
  }

  /// The same job with the line numbers of evidence.
  JobView with(LineNumbers numbers) {
    return new JobView(key, runs, findings.stream().map(numbers::in).toList(), leftOut);
  }

  /// The verdict on all attempts; if the newest attempt made good the deaths of earlier ones, the
  /// verdict without those.
  public Verdict verdict() {
    var madeGood = RecoveredAttempts.of(runs);
    if (madeGood.isEmpty()) {
      return verdict(runs, findings, leftOut);
    }
    var dead = madeGood.stream().map(RunSummary::run).toList();
    return verdict(
            runs.stream().filter(run -> !dead.contains(run.run())).toList(),
            findings.stream()
                .filter(
                    finding -> !dead.contains(finding.run()) || !RecoveredAttempts.over(finding))
                .toList(),
            leftOut)
        .after(madeGood, findings);
  }

  Verdict verdict(RunSummary run) {
    return verdict(
        List.of(run),
        of(run),
        leftOut.stream().filter(finding -> finding.run().equals(run.run())).toList());
  }

  private static Verdict verdict(
      List<RunSummary> runs, List<Finding> findings, List<Finding> leftOut) {
    return findings.isEmpty() && !leftOut.isEmpty()
        ? Verdict.unasked(leftOut.size())
        : Verdict.of(runs, findings);
  }

  /// `llama-3-8b · training`: name, namespace and cluster, as far as they exist.
  String name() {
    return Stream.of(key.job(), key.namespace(), key.cluster())
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(" · "));
  }

  SeverityMark mark() {
    return SeverityMark.of(verdict());
  }

  /// The findings about one run of the job.
  List<Finding> of(RunSummary run) {
    return findings.stream().filter(finding -> finding.run().equals(run.run())).toList();
  }

  /// The findings about no particular run, or about a run without a summary.
  List<Finding> ofNoRun() {
    var known = runs.stream().map(RunSummary::run).toList();
    return findings.stream().filter(finding -> !known.contains(finding.run())).toList();
  }
}
