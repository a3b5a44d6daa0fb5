package io.ringside.standalone.report;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import java.util.Collection;
import java.util.List;

/// The content of a report, in all its formats.
///
/// @param jobs sorted by cluster, namespace and name
public record ReportContent(InputSummary input, List<JobView> jobs, LeftOut leftOut) {
  public ReportContent {
    jobs = List.copyOf(jobs);
  }

  /// An account of everything that was judged.
  public static ReportContent of(
      InputSummary input, Collection<RunSummary> runs, Collection<Finding> findings) {
    return new ReportContent(input, JobView.of(runs, findings), LeftOut.NOTHING);
  }

  /// The same account with the line numbers of evidence.
  public ReportContent with(LineNumbers numbers) {
    return new ReportContent(input, jobs.stream().map(job -> job.with(numbers)).toList(), leftOut);
  }

  /// Every reported finding, the worst of each job first.
  public List<Finding> findings() {
    return jobs.stream().flatMap(job -> job.findings().stream()).toList();
  }

  /// Whether a part of Ringside itself failed, so that findings may be missing.
  public boolean failed() {
    return jobs.stream().flatMap(job -> job.runs().stream()).anyMatch(RunSummary::failed);
  }

  /// Whether any reported finding, over or not, has at least this severity.
  public boolean reaches(Severity severity) {
    return findings().stream().anyMatch(finding -> finding.severity().compareTo(severity) >= 0);
  }

  /// The verdict on all jobs in one sentence.
  Verdict verdict() {
    return Verdict.ofAll(jobs);
  }
}
