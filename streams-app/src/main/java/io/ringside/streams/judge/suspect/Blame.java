package io.ringside.streams.judge.suspect;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.time.Instant;
import java.util.List;

/// That a finding holds one node to blame.
///
/// @param finding the finding's id, unique within job
/// @param gpus PCI bus ids of the GPUs to blame, empty for the node as a whole
/// @param at when it was last said, to the hour
/// @param withdrawn whether it is said no more, as if it never had been
public record Blame(
    String cluster,
    String node,
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
    return cluster + "|" + node;
  }

  /// The same, taken back.
  public Blame withdraw() {
    return new Blame(cluster, node, job, run, finding, kind, severity, gpus, at, true);
  }

  boolean sameFinding(Blame other) {
    return job.equals(other.job) && finding.equals(other.finding);
  }
}
