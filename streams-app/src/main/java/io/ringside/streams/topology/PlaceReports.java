package io.ringside.streams.topology;

import io.ringside.schemas.event.NodeReport;
import io.ringside.streams.join.node.NodeJoin;
import io.ringside.streams.join.node.NodeState;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/// Node → what its agent reports, by job that runs there.
final class PlaceReports extends ContextualProcessor<String, NodeReport, String, Packed> {
  private final NodeJoin join;
  private WriteBehindStore<NodeState> nodes;

  @SuppressWarnings("NullAway.Init") // the store is given in init
  PlaceReports(NodeJoin join) {
    this.join = join;
  }

  @Override
  public void init(ProcessorContext<String, Packed> context) {
    super.init(context);
    nodes = context.getStateStore(Stores.NODES);
  }

  @Override
  public void process(Record<String, NodeReport> record) {
    var node = nodes.change(record.value().node());
    for (var routed : join.report(record.value(), node)) {
      context().forward(record.withKey(routed.job()).withValue(Packed.of(routed.input())));
    }
  }
}
