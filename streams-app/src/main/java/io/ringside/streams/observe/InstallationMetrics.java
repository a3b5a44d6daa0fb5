package io.ringside.streams.observe;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.ringside.platform.build.Build;
import io.ringside.streams.config.MetricsConfig;

/// Series that do not change while the program runs: its build, and the addresses that dashboards
/// and alerts link to, so that these need not contain them.
public final class InstallationMetrics implements MultiCollector {
  private final MetricsConfig config;
  private final Build build = Build.current();

  public InstallationMetrics(MetricsConfig config) {
    this.config = config;
  }

  @Override
  public MetricSnapshots collect() {
    var samples = new Samples();
    samples.put(Metric.BUILD, 1, "streams", build.version(), build.revision());
    samples.put(Metric.LINKS, 1, config.page(), config.runbooks());
    return samples.snapshots();
  }
}
