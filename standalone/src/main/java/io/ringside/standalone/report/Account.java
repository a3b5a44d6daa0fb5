package io.ringside.standalone.report;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import java.util.Collection;
import java.util.List;

/// What every format of the report is written from.
///
/// @param jobs in the order of their names
public record Account(InputSummary input, List<JobView> jobs, LeftOut leftOut) {
  public Account {
    jobs = List.copyOf(jobs);
  }

  /// All of what was judged.
  public static Account of(
      InputSummary input, Collection<RunSummary> runs, Collection<Finding> findings) {
    return new Account(input, JobView.of(runs, findings), LeftOut.NOTHING);
  }

  /// The same where it is known in which lines the evidence stands.
  public Account with(LineNumbers numbers) {
    return new Account(input, jobs.stream().map(job -> job.with(numbers)).toList(), leftOut);
  }

  /// Every finding that is reported, the worst of each job first.
  public List<Finding> findings() {
    return jobs.stream().flatMap(job -> job.findings().stream()).toList();
  }

  /// Whether a part of Ringside itself failed: what it would have found is missing.
  public boolean failed() {
    return jobs.stream().flatMap(job -> job.runs().stream()).anyMatch(RunSummary::failed);
  }

  /// Whether any finding that is reported, over or not, is at least so bad.
  public boolean reaches(Severity severity) {
    return findings().stream().anyMatch(finding -> finding.severity().compareTo(severity) >= 0);
  }

  /// All jobs in one sentence.
  Verdict verdict() {
    return Verdict.ofAll(jobs);
  }
}
