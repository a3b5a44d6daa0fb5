package io.ringside.streams.topology;

import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.NodeJoin.Routed;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.state.PackedInput;
import io.ringside.streams.state.WriteBehindStore;
import java.util.List;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/// Record of an agent → the parts of it for each job, according to the state of the agent's node.
abstract class NodeProcessor<V> extends ContextualProcessor<String, V, String, PackedInput> {
  final NodeJoin join;
  WriteBehindStore<NodeState> nodes;

  @SuppressWarnings("NullAway.Init") // init sets the store
  NodeProcessor(NodeJoin join) {
    this.join = join;
  }

  @Override
  public void init(ProcessorContext<String, PackedInput> context) {
    super.init(context);
    nodes = context.getStateStore(Stores.NODES);
  }

  /// Sends each part to its job.
  final void forward(Record<String, V> record, List<Routed> parts) {
    for (var part : parts) {
      context().forward(record.withKey(part.job()).withValue(PackedInput.of(part.input())));
    }
  }
}
