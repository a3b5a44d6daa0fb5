package io.ringside.streams.topology;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.SeenStatements;
import io.ringside.streams.node.SourceState;
import io.ringside.streams.state.JournaledStore;
import io.ringside.streams.state.PackedInput;
import io.ringside.streams.state.StoredSamples;
import io.ringside.streams.state.WriteBehindStore;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/// Log chunks by node → the facts of their lines, by job.
final class LogProcessor extends NodeProcessor<LogChunk> {
  private static final Duration CLEARING = Duration.ofMinutes(10);
  private static final Duration LAG_TOLD = Duration.ofSeconds(1);

  /// Read times further in the future than this are not believed: the node's clock is wrong.
  private static final Duration AHEAD = Duration.ofHours(1);

  private final ServicePace pace;
  private final LastSeen kept = new LastSeen();
  private final RecordLag lag = new RecordLag();
  private JournaledStore<SourceState> sources;
  private WriteBehindStore<SeenStatements> told;
  private StoredSamples samples;

  @SuppressWarnings("NullAway.Init") // init sets the stores
  LogProcessor(NodeJoin join, ServicePace pace) {
    super(join);
    this.pace = pace;
  }

  @Override
  public void init(ProcessorContext<String, PackedInput> context) {
    super.init(context);
    sources = context.getStateStore(Stores.SOURCES);
    told = context.getStateStore(Stores.TOLD);
    KeyValueStore<String, GpuSample> slots = context.getStateStore(Stores.SAMPLES);
    samples = new StoredSamples(slots, pace.samples());
    sources.keys().forEach(source -> kept.seen(source, context.currentSystemTimeMs()));
    context.schedule(
        LAG_TOLD,
        PunctuationType.WALL_CLOCK_TIME,
        now -> JudgingBudget.ofThisThread().reads(this, lag.take(now), now));
    context.schedule(
        CLEARING,
        PunctuationType.WALL_CLOCK_TIME,
        now -> {
          kept.takeSilent(pace.forget(), now).forEach(this::forget);
          nodes.forgetUntouched(now - pace.forget().toMillis()).forEach(samples::forget);
        });
  }

  private void forget(String source) {
    sources.remove(source);
    told.remove(source);
  }

  @Override
  public void process(Record<String, LogChunk> record) {
    long now = context().currentSystemTimeMs();
    lag.received(record.timestamp());
    var chunk = record.value().readNoLaterThan(Instant.ofEpochMilli(now).plus(AHEAD));
    var id = chunk.source().id();
    var source = sources.get(id);
    var before = told.get(id);
    source.use(before);
    kept.seen(id, now);
    var node = nodes.get(chunk.node());
    forward(record, join.chunk(chunk, source, node, samples));
    sources.note(
        id, () -> Topics.LOGS.valueSerde().serializer().serialize(Topics.LOGS.name(), chunk));
    if (before.takeChanged()) {
      told.change(id);
    }
    if (node.takeChanged()) {
      nodes.change(chunk.node());
    }
  }
}
