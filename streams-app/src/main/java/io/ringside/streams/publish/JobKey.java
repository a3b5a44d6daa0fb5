package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import java.util.Comparator;

/// What names a job: two clusters may each have one of the same name.
public record JobKey(String cluster, String job) implements Comparable<JobKey> {
  private static final Comparator<JobKey> ORDER =
      Comparator.comparing(JobKey::job).thenComparing(JobKey::cluster);

  public static JobKey of(RunSummary run) {
    return new JobKey(run.cluster(), run.job());
  }

  public static JobKey of(Finding finding) {
    return new JobKey(finding.cluster(), finding.job());
  }

  @Override
  public int compareTo(JobKey other) {
    return ORDER.compare(this, other);
  }
}
