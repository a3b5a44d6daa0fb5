package io.ringside.streams.observe;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.publish.NodeOverview;
import io.ringside.streams.publish.NodeViews;
import io.ringside.streams.publish.ViewsUnavailable;
import java.util.function.Supplier;

/// Series about nodes that findings blame: one for each suspect, the worst first and only so many.
/// Thread-safe.
public final class NodeMetrics implements MultiCollector {
  private final NodeViews views;
  private final Supplier<Expectations> expectations;
  private final int most;

  /// @param most how many suspects have series of their own
  public NodeMetrics(NodeViews views, Supplier<Expectations> expectations, int most) {
    this.views = views;
    this.expectations = expectations;
    this.most = most;
  }

  @Override
  public MetricSnapshots collect() {
    var samples = new Samples();
    try {
      var limit = expectations.get().thresholds().nodes();
      var nodes = views.nodes().stream().map(node -> NodeOverview.of(node, limit)).toList();
      samples.put(Metric.NODES_BLAMED, nodes.size());
      nodes.stream()
          .filter(NodeOverview::suspect)
          .sorted(NodeOverview.WORST_FIRST)
          .limit(most)
          .forEach(
              node -> samples.put(Metric.NODE_SUSPECT, node.runs(), node.cluster(), node.node()));
    } catch (ViewsUnavailable e) {
      // ringside_views_available says so
    }
    return samples.snapshots();
  }
}
