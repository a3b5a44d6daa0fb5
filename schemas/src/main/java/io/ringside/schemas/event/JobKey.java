package io.ringside.schemas.event;

import java.util.Comparator;
import java.util.Objects;

/// What names a job: jobs of one name in two namespaces, or in two clusters, are two jobs.
///
/// @param cluster empty where nobody named it
/// @param namespace empty outside of Kubernetes, and in records of before 0.2
/// @param job empty for what is of no job
public record JobKey(String cluster, String namespace, String job) implements Comparable<JobKey> {
  private static final Comparator<JobKey> ORDER =
      Comparator.comparing(JobKey::job)
          .thenComparing(JobKey::cluster)
          .thenComparing(JobKey::namespace);

  public JobKey {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(job, "job");
  }

  public static JobKey of(LogSource source) {
    return new JobKey(source.cluster(), source.namespace(), source.job());
  }

  public static JobKey of(Finding finding) {
    return new JobKey(finding.cluster(), finding.namespace(), finding.job());
  }

  public static JobKey of(RunSummary run) {
    return new JobKey(run.cluster(), run.namespace(), run.job());
  }

  /// The key of stores and topics: no two jobs have the same, none begins with another's and `|`,
  /// and none has a line break, whatever their names are.
  public String text() {
    return JoinedNames.of(cluster, namespace, job);
  }

  @Override
  public int compareTo(JobKey other) {
    return ORDER.compare(this, other);
  }
}
