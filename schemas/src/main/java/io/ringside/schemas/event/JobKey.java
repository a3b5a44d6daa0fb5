package io.ringside.schemas.event;

import java.util.Comparator;
import java.util.Objects;

/// Identifies a job: jobs of the same name in two namespaces or clusters are two jobs.
///
/// @param cluster empty if none is configured
/// @param namespace empty outside of Kubernetes, and in records before 0.2
/// @param job empty for something that belongs to no job
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

  /// The key in stores and topics. No two jobs have the same, none begins with another's followed
  /// by `|`, and none contains a line break, whatever the names are.
  public String text() {
    return JoinedNames.of(cluster, namespace, job);
  }

  @Override
  public int compareTo(JobKey other) {
    return ORDER.compare(this, other);
  }
}
