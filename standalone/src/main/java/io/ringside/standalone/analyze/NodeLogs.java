package io.ringside.standalone.analyze;

import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.LogSource;
import io.ringside.streams.fact.LogFacts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Records which jobs have logs on which node, and which of these logs have not ended. Only for one
/// thread.
final class NodeLogs {
  /// Logs that have not ended, by job, by node.
  private final Map<String, Map<JobKey, Set<String>>> open = new HashMap<>();

  void began(LogSource log) {
    open.computeIfAbsent(log.node(), _ -> new HashMap<>())
        .computeIfAbsent(JobKey.of(log), _ -> new HashSet<>())
        .add(log.id());
  }

  /// Records a log's facts. Returns whether they end the last open log of the only job on its node.
  boolean ended(LogFacts facts) {
    began(facts.source());
    var jobs = open.getOrDefault(facts.node(), Map.of());
    var logs = jobs.getOrDefault(JobKey.of(facts.source()), Set.of());
    if (!facts.end()) {
      return false;
    }
    logs.remove(facts.source().id());
    return logs.isEmpty() && jobs.size() == 1;
  }

  /// Whether the node has no logs.
  boolean none(String node) {
    return !open.containsKey(node);
  }
}
