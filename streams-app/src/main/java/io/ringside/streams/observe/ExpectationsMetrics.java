package io.ringside.streams.observe;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.expect.ExpectationsFile;
import java.util.function.Supplier;

/// Series on whether the expectations in force are those of the file. Thread-safe.
public record ExpectationsMetrics(Supplier<ExpectationsFile.Status> status)
    implements MultiCollector {
  @Override
  public MetricSnapshots collect() {
    var now = status.get();
    var samples = new Samples();
    samples.put(Metric.EXPECTATIONS_REFUSED, now.refused() == null ? 0 : 1);
    samples.put(Metric.EXPECTATIONS_SINCE, Nanos.seconds(Nanos.of(now.since())));
    samples.put(Metric.EXPECTATIONS_CHANGES, now.applied(), "applied");
    samples.put(Metric.EXPECTATIONS_CHANGES, now.refusals(), "refused");
    return samples.snapshots();
  }
}
