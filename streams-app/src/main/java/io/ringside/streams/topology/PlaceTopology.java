package io.ringside.streams.topology;

import io.ringside.schemas.event.NodeTopology;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.state.Packed;
import io.ringside.streams.state.WriteBehindStore;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/// Node → how its GPUs are linked, by job.
final class PlaceTopology extends ContextualProcessor<String, NodeTopology, String, Packed> {
  private final NodeJoin join;
  private WriteBehindStore<NodeState> nodes;

  @SuppressWarnings("NullAway.Init") // the store is given in init
  PlaceTopology(NodeJoin join) {
    this.join = join;
  }

  @Override
  public void init(ProcessorContext<String, Packed> context) {
    super.init(context);
    nodes = context.getStateStore(Stores.NODES);
  }

  @Override
  public void process(Record<String, NodeTopology> record) {
    var node = nodes.change(record.value().node());
    for (var routed : join.topology(record.value(), node)) {
      context().forward(record.withKey(routed.job()).withValue(Packed.of(routed.input())));
    }
  }
}
