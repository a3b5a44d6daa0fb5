package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.judge.suspect.NodeMemory;
import java.util.List;
import java.util.Map;

/// What one instance holds, by partition: what it answers when another instance asks.
///
/// @param jobs results of the jobs, by partition of the jobs' stores
/// @param nodes memory of nodes, by partition of theirs
public record Holdings(Map<Integer, Results> jobs, Map<Integer, List<NodeMemory>> nodes) {
  /// Nothing.
  public static final Holdings NONE = new Holdings(Map.of(), Map.of());

  public Holdings {
    jobs = Map.copyOf(jobs);
    nodes = Map.copyOf(nodes);
  }

  /// Those of one partition.
  public record Results(List<RunSummary> runs, List<Finding> findings) {}
}
