package io.ringside.streams.judge.suspect;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.JoinedNames;
import io.ringside.schemas.event.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The statement that a finding blames one node.
///
/// @param namespace the job's namespace; null if an older version wrote the blame without it
/// @param finding the finding's ID, unique within the job
/// @param gpus PCI bus IDs of the blamed GPUs, empty for the node as a whole
/// @param ranks ranks of a straggler whose GPUs do not stand apart: if the same ranks are blamed
///   again, it may be their work. Empty otherwise
/// @param at time of the latest report; an unchanged blame is reported once an hour
/// @param withdrawn whether the blame no longer holds, as if it had never been reported
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
    List<Integer> ranks,
    Instant at,
    boolean withdrawn) {

  @SuppressWarnings("ConstantValue") // an earlier version stored no ranks
  public Blame {
    gpus = List.copyOf(gpus);
    ranks = ranks == null ? List.of() : List.copyOf(ranks);
  }

  /// Key of the node.
  public String key() {
    return JoinedNames.of(cluster, node);
  }

  /// The job of the finding.
  public JobKey jobKey() {
    return new JobKey(cluster, Objects.requireNonNullElse(namespace, ""), job);
  }

  /// The same blame, reported at another time.
  public Blame saidAt(Instant time) {
    return new Blame(
        cluster, node, namespace, job, run, finding, kind, severity, gpus, ranks, time, withdrawn);
  }

  /// The same blame, withdrawn.
  public Blame withdraw() {
    return new Blame(
        cluster, node, namespace, job, run, finding, kind, severity, gpus, ranks, at, true);
  }

  boolean sameFinding(Blame other) {
    return jobKey().equals(other.jobKey()) && finding.equals(other.finding);
  }
}
