package io.ringside.standalone.pipeline;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/// How far a consumer group is behind at one moment.
///
/// @param committed next offset to judge, by partition; a partition without one counts from 0
/// @param ends offset after the last record, by partition
public record Backlog(Map<TopicPartition, Long> committed, Map<TopicPartition, Long> ends) {
  public Backlog {
    committed = Map.copyOf(committed);
    ends = Map.copyOf(ends);
  }

  /// Number of records (and transaction markers) not judged yet.
  public long behind() {
    return total() - done();
  }

  /// Number of records judged.
  public long done() {
    return ends.entrySet().stream()
        .mapToLong(end -> Math.min(committed.getOrDefault(end.getKey(), 0L), end.getValue()))
        .sum();
  }

  /// Number of all records.
  public long total() {
    return ends.values().stream().mapToLong(Long::longValue).sum();
  }
}
