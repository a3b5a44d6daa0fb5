package io.ringside.streams.topology;

import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.suspect.Blame;
import io.ringside.streams.judge.suspect.NodeMemory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/// Blames by node → the store of what the findings of all jobs blame each node for. Only the store
/// is written; no record is sent on.
final class BlameProcessor extends ContextualProcessor<String, Blame, Void, Void> {
  private static final Duration FORGETTING = Duration.ofMinutes(1);

  private final Supplier<Expectations> expectations;
  private KeyValueStore<String, NodeMemory> memory;

  @SuppressWarnings("NullAway.Init") // init sets the store
  BlameProcessor(Supplier<Expectations> expectations) {
    this.expectations = expectations;
  }

  @Override
  public void init(ProcessorContext<Void, Void> context) {
    super.init(context);
    memory = context.getStateStore(Stores.NODE_MEMORY);
    context.schedule(FORGETTING, PunctuationType.WALL_CLOCK_TIME, this::forget);
  }

  @Override
  public void process(Record<String, Blame> record) {
    var blame = record.value();
    var known = memory.get(record.key());
    var before = known == null ? NodeMemory.of(blame.cluster(), blame.node()) : known;
    var limit = expectations.get().thresholds().nodes();
    put(record.key(), before.with(blame, limit.blames()));
  }

  private void forget(long nowMillis) {
    var limit = expectations.get().thresholds().nodes();
    var now = Instant.ofEpochMilli(nowMillis);
    var keys = new ArrayList<String>();
    try (var all = memory.all()) {
      all.forEachRemaining(entry -> keys.add(entry.key));
    }
    for (var key : keys) {
      var before = memory.get(key);
      if (before != null) {
        var after = before.since(now, limit.memory());
        if (!after.equals(before) || after.blames().isEmpty()) {
          put(key, after);
        }
      }
    }
  }

  private void put(String key, NodeMemory after) {
    if (after.blames().isEmpty()) {
      memory.delete(key);
    } else {
      memory.put(key, after);
    }
  }
}
