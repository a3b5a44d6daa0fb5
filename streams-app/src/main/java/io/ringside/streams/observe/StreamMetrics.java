package io.ringside.streams.observe;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;

/// The few of Kafka's own metrics that show whether the pipeline keeps up, summed over threads and
/// partitions. Kafka has thousands, one set for each task and partition; exporting all of them
/// would let the number of series grow with the fleet.
public record StreamMetrics(
    KafkaStreams streams, LongSupplier threadFailures, LongSupplier setAside)
    implements MultiCollector {
  @Override
  public MetricSnapshots collect() {
    var samples = new Samples();
    samples.put(Metric.STREAM_RUNNING, streams.state() == KafkaStreams.State.RUNNING ? 1 : 0);
    samples.put(
        Metric.STREAM_THREADS,
        streams.metadataForLocalThreads().stream()
            .filter(thread -> !thread.threadState().equals("DEAD"))
            .count());
    samples.put(Metric.STREAM_FAILURES, threadFailures.getAsLong());
    samples.put(Metric.STREAM_SET_ASIDE, setAside.getAsLong());

    // a partition's lag has the tag "partition"; the same name without it is the client's maximum
    byTopic("records-lag", "partition")
        .forEach((topic, lag) -> samples.put(Metric.STREAM_LAG, lag, topic));
    byTopic("records-consumed-total", "topic")
        .forEach((topic, records) -> samples.put(Metric.STREAM_RECORDS, records, topic));
    by("stream-task-metrics", "dropped-records-total", "", "task-id", Double::sum)
        .forEach((_, dropped) -> samples.put(Metric.STREAM_DROPPED, dropped));
    by("ringside-state", "state-dropped-total", "store", "store", Double::sum)
        .forEach((store, keys) -> samples.put(Metric.STATE_DROPPED, keys, store));
    by(
            "stream-processor-node-metrics",
            "record-e2e-latency-max",
            "processor-node-id",
            "processor-node-id",
            Double::max)
        .forEach((step, millis) -> samples.put(Metric.STREAM_LATENCY, millis / 1_000, step));
    return samples.snapshots();
  }

  /// Values by topic, without changelogs, which are read to restore state and not for processing.
  /// Also without the second copy of each metric whose topic has `_` for `.` (KIP-1109 keeps it for
  /// old dashboards).
  private Map<String, Double> byTopic(String name, String required) {
    var values = by("consumer-fetch-manager-metrics", name, "topic", required, Double::sum);
    var copies =
        values.keySet().stream()
            .filter(topic -> topic.contains("."))
            .map(topic -> topic.replace('.', '_'))
            .collect(Collectors.toSet());
    values.keySet().removeIf(topic -> copies.contains(topic) || topic.endsWith("-changelog"));
    return values;
  }

  /// @param label the tag to group by, empty for one group
  /// @param required a tag that distinguishes these metrics from others of the same name
  private Map<String, Double> by(
      String group, String name, String label, String required, BinaryOperator<Double> merge) {
    var values = new TreeMap<String, Double>();
    streams
        .metrics()
        .forEach(
            (metric, current) -> {
              if (metric.group().equals(group)
                  && metric.name().equals(name)
                  && metric.tags().containsKey(required)
                  && current.metricValue() instanceof Double value
                  && Double.isFinite(value)) {
                values.merge(tag(metric, label), value, merge);
              }
            });
    return values;
  }

  private static String tag(MetricName metric, String label) {
    return Optional.ofNullable(metric.tags().get(label)).orElse("");
  }
}
