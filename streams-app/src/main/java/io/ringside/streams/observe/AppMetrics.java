package io.ringside.streams.observe;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;

/// The registry of one service: its collectors, and the JVM's own meters.
public final class AppMetrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry;
  private final JvmGcMetrics collections = new JvmGcMetrics();

  /// @param collectors what is computed at scrape time
  public AppMetrics(List<MultiCollector> collectors) {
    var prometheus = new PrometheusRegistry();
    collectors.forEach(prometheus::register);
    registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, prometheus, Clock.SYSTEM);
    // their names violate Prometheus' conventions, and process_cpu_usage shows the same
    registry
        .config()
        .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
        .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
    new JvmMemoryMetrics().bindTo(registry);
    collections.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  /// The registry for `/metrics`, and for meters of single steps of the stream.
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
