package io.ringside.streams.observe;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.ringside.streams.config.MetricsConfig;

/// Where dashboards and alerts lead to: a constant of the installation, so that nobody has to write it into each of
/// them.
public final class LinksMetrics implements MultiCollector {
  private final MetricsConfig config;

  public LinksMetrics(MetricsConfig config) {
    this.config = config;
  }

  @Override
  public MetricSnapshots collect() {
    var samples = new Samples();
    samples.put(Metric.LINKS, 1, config.page(), config.runbooks());
    return samples.snapshots();
  }
}
