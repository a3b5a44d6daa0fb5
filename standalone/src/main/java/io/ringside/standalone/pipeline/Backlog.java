package io.ringside.standalone.pipeline;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/// How far a consumer group is behind at one moment.
///
/// @param committed next offset to judge by partition; a partition without one counts from 0
/// @param ends offset behind the last record by partition
public record Backlog(Map<TopicPartition, Long> committed, Map<TopicPartition, Long> ends) {
  public Backlog {
    committed = Map.copyOf(committed);
    ends = Map.copyOf(ends);
  }

  /// Records (and transaction markers) that are not judged yet.
  public long behind() {
    return total() - done();
  }

  /// Records that are.
  public long done() {
    return ends.entrySet().stream()
        .mapToLong(end -> Math.min(committed.getOrDefault(end.getKey(), 0L), end.getValue()))
        .sum();
  }

  /// All records.
  public long total() {
    return ends.values().stream().mapToLong(Long::longValue).sum();
  }
}
