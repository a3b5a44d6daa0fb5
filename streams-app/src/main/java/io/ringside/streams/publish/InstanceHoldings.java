package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.judge.suspect.NodeMemory;
import java.util.List;
import java.util.Map;

/// The data that one instance holds, by partition: its answer to other instances.
///
/// @param jobs results of jobs, by partition of the jobs' stores
/// @param nodes memory of nodes, by partition of the nodes' stores
public record InstanceHoldings(Map<Integer, Results> jobs, Map<Integer, List<NodeMemory>> nodes) {
  /// No data.
  public static final InstanceHoldings NONE = new InstanceHoldings(Map.of(), Map.of());

  public InstanceHoldings {
    jobs = Map.copyOf(jobs);
    nodes = Map.copyOf(nodes);
  }

  /// Results of one partition.
  public record Results(List<RunSummary> runs, List<Finding> findings) {}
}
