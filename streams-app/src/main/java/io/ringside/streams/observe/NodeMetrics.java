package io.ringside.streams.observe;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.ringside.streams.config.MetricsConfig;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.publish.AgentViews;
import io.ringside.streams.publish.NodeOverview;
import io.ringside.streams.publish.NodeViews;
import io.ringside.streams.publish.ViewsUnavailable;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.function.Supplier;

/// Series about nodes: nodes that findings blame, and the condition of their agents. Only suspects
/// and agents in trouble have series of their own, the worst first and up to a limit. Thread-safe.
public record NodeMetrics(
    NodeViews views,
    AgentViews agents,
    Supplier<Expectations> expectations,
    MetricsConfig bounds,
    InstantSource clock)
    implements MultiCollector {
  @Override
  public MetricSnapshots collect() {
    var samples = new Samples();
    var limit = expectations.get().thresholds();
    try {
      samples.put(Metric.NODES_FOLDED, suspects(samples, limit.nodes()), "suspects");
      samples.put(
          Metric.NODES_FOLDED,
          AgentSamples.add(
              samples,
              agents.agents(),
              clock.instant(),
              limit.telemetry(),
              bounds.maxNodes(),
              bounds.retireAfter()),
          "agents");
    } catch (ViewsUnavailable e) {
      // ringside_views_available shows it
    }
    return samples.snapshots();
  }

  /// Adds the suspects.
  ///
  /// @return number of suspects that are not named
  private int suspects(Samples samples, Thresholds.Nodes limit) {
    var nodes = views.nodes().stream().map(node -> NodeOverview.of(node, limit)).toList();
    samples.put(Metric.NODES_BLAMED, nodes.size());
    var suspects = nodes.stream().filter(NodeOverview::suspect).toList();
    suspects.stream()
        .sorted(Comparator.comparing(NodeOverview.Place::of))
        .limit(bounds.maxNodes())
        .forEach(
            node -> samples.put(Metric.NODE_SUSPECT, node.runs(), node.cluster(), node.node()));
    return Math.max(0, suspects.size() - bounds.maxNodes());
  }
}
