package io.ringside.streams.detect;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.join.job.JobState;
import io.ringside.streams.join.job.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Lets all detectors examine all runs of a job. Thread-safe.
public final class Judge {
  private final Expectations expectations;
  private final List<Detector> detectors;

  public Judge(Expectations expectations, List<Detector> detectors) {
    this.expectations = expectations;
    this.detectors = List.copyOf(detectors);
  }

  /// With all detectors.
  public Judge(Expectations expectations) {
    this(expectations, Detectors.ALL);
  }

  /// What holds of the job at one moment.
  public record Verdict(List<RunSummary> runs, List<Finding> findings) {}

  /// Judges all runs. Pure.
  public Verdict judge(JobState job, Instant now) {
    var summaries = new ArrayList<RunSummary>();
    var findings = new ArrayList<Finding>();
    int attempt = 0;
    for (var run : job.runs()) {
      var examination = Examination.of(job, run, expectations, now);
      summaries.add(RunSummaries.of(examination, ++attempt));
      for (var detector : detectors) {
        for (var claim : detector.examine(examination)) {
          findings.add(finding(claim, job, run, now));
        }
      }
    }
    return new Verdict(summaries, findings);
  }

  private static Finding finding(Claim claim, JobState job, Run run, Instant now) {
    var id =
        "%s:%s:%s%s"
            .formatted(
                job.job(),
                run.id(),
                claim.kind().label(),
                claim.subject().isEmpty() ? "" : ":" + claim.subject().replace(' ', '-'));
    return new Finding(
        id,
        claim.kind(),
        claim.severity(),
        claim.active() ? Finding.State.ACTIVE : Finding.State.CLEARED,
        job.cluster(),
        job.job(),
        run.id(),
        claim.ranks(),
        claim.nodes(),
        claim.pods(),
        claim.gpus(),
        claim.since(),
        claim.until(),
        now,
        claim.summary(),
        claim.expected(),
        claim.observed(),
        claim.cost(),
        claim.cause(),
        claim.evidence());
  }
}
