package io.ringside.streams.topology;

import io.ringside.schemas.event.LogChunk;
import io.ringside.streams.join.fact.JobInput;
import io.ringside.streams.join.node.NodeJoin;
import io.ringside.streams.join.node.NodeState;
import io.ringside.streams.join.node.SourceState;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/// Node → what its log lines say, by job.
final class ReadLogs extends ContextualProcessor<String, LogChunk, String, JobInput> {
  private final NodeJoin join;
  private WriteBehindStore<SourceState> sources;
  private WriteBehindStore<NodeState> nodes;

  @SuppressWarnings("NullAway.Init") // stores are given in init
  ReadLogs(NodeJoin join) {
    this.join = join;
  }

  @Override
  public void init(ProcessorContext<String, JobInput> context) {
    super.init(context);
    sources = context.getStateStore(Stores.SOURCES);
    nodes = context.getStateStore(Stores.NODES);
  }

  @Override
  public void process(Record<String, LogChunk> record) {
    var chunk = record.value();
    var source = sources.change(chunk.source().id());
    var node = nodes.change(chunk.source().node());
    for (var routed : join.chunk(chunk, source, node)) {
      context().forward(record.withKey(routed.job()).withValue(routed.input()));
    }
  }
}
