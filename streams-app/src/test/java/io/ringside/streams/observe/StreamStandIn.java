package io.ringside.streams.observe;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

/// What StreamMetrics exports of a stream that runs, without a stream.
final class StreamStandIn implements MultiCollector {
  @Override
  public MetricSnapshots collect() {
    var samples = new Samples();
    samples.put(Metric.STREAM_RUNNING, 1);
    samples.put(Metric.STREAM_THREADS, 2);
    samples.put(Metric.STREAM_FAILURES, 0);
    samples.put(Metric.STREAM_LAG, 3, "ringside.logs.v1");
    samples.put(Metric.STREAM_RECORDS, 1_000, "ringside.logs.v1");
    samples.put(Metric.STREAM_DROPPED, 0);
    samples.put(Metric.STREAM_LATENCY, 0.2, "to-findings");
    return samples.snapshots();
  }
}
