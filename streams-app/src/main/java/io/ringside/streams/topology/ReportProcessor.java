package io.ringside.streams.topology;

import io.ringside.schemas.event.NodeReport;
import io.ringside.streams.node.Heartbeat;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.state.PackedInput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/// Agent reports by node → facts by each job that runs on the node. Remembers when each agent last
/// reported.
final class ReportProcessor extends NodeProcessor<NodeReport> {
  private static final Duration FORGETTING = Duration.ofMinutes(1);

  private final Duration forgetAfter;
  private KeyValueStore<String, Heartbeat> agents;

  /// @param forgetAfter silence after which an agent is forgotten
  @SuppressWarnings("NullAway.Init") // init sets the stores
  ReportProcessor(NodeJoin join, Duration forgetAfter) {
    super(join);
    this.forgetAfter = forgetAfter;
  }

  @Override
  public void init(ProcessorContext<String, PackedInput> context) {
    super.init(context);
    agents = context.getStateStore(Stores.AGENTS);
    context.schedule(FORGETTING, PunctuationType.WALL_CLOCK_TIME, this::forget);
  }

  @Override
  public void process(Record<String, NodeReport> record) {
    var report = record.value();
    var heard = Heartbeat.of(report, Instant.ofEpochMilli(context().currentSystemTimeMs()));
    agents.put(heard.key(), heard);
    forward(record, join.report(report, nodes.change(report.node())));
  }

  private void forget(long nowMillis) {
    var oldest = Instant.ofEpochMilli(nowMillis).minus(forgetAfter);
    var gone = new ArrayList<String>();
    try (var all = agents.all()) {
      all.forEachRemaining(
          entry -> {
            if (entry.value == null || entry.value.heardAt().isBefore(oldest)) {
              gone.add(entry.key);
            }
          });
    }
    gone.forEach(agents::delete);
  }
}
