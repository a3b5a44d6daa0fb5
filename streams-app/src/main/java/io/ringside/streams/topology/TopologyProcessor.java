package io.ringside.streams.topology;

import io.ringside.schemas.event.NodeTopology;
import io.ringside.streams.node.NodeJoin;
import org.apache.kafka.streams.processor.api.Record;

/// GPU links by node → GPU links by job.
final class TopologyProcessor extends NodeProcessor<NodeTopology> {
  TopologyProcessor(NodeJoin join) {
    super(join);
  }

  @Override
  public void process(Record<String, NodeTopology> record) {
    var topology = record.value();
    forward(record, join.topology(topology, nodes.change(topology.node())));
  }
}
