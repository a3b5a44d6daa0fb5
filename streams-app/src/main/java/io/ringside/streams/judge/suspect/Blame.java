package io.ringside.streams.judge.suspect;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.JoinedNames;
import io.ringside.schemas.event.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// That a finding holds one node to blame.
///
/// @param namespace of the job; null where an older version said it, and did not tell
/// @param finding the finding's id, unique within the job
/// @param gpus PCI bus ids of the GPUs to blame, empty for the node as a whole
/// @param at when it was last said; what stays the same is said once an hour
/// @param withdrawn whether it is said no more, as if it never had been
public record Blame(
    String cluster,
    String node,
    @Nullable String namespace,
    String job,
    String run,
    String finding,
    FindingKind kind,
    Severity severity,
    List<String> gpus,
    Instant at,
    boolean withdrawn) {

  public Blame {
    gpus = List.copyOf(gpus);
  }

  /// Key of the node.
  public String key() {
    return JoinedNames.of(cluster, node);
  }

  /// The job that it is said in.
  public JobKey jobKey() {
    return new JobKey(cluster, Objects.requireNonNullElse(namespace, ""), job);
  }

  /// The same, said at another time.
  public Blame saidAt(Instant time) {
    return new Blame(
        cluster, node, namespace, job, run, finding, kind, severity, gpus, time, withdrawn);
  }

  /// The same, taken back.
  public Blame withdraw() {
    return new Blame(cluster, node, namespace, job, run, finding, kind, severity, gpus, at, true);
  }

  boolean sameFinding(Blame other) {
    return jobKey().equals(other.jobKey()) && finding.equals(other.finding);
  }
}
