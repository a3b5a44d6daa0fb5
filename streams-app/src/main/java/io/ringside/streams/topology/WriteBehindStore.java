package io.ringside.streams.topology;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.jspecify.annotations.Nullable;

/// A store of live objects: they are changed in place by each record and written to the changelog only
/// when the task commits, so that a record costs no serialisation of the state it touches.
///
/// A task flushes its caches before it commits, inside the transaction (Kafka Streams 4.3.1,
/// `StreamTask.flush`; `StateStore.commit` comes after it), so an object is in the changelog exactly when
/// the records that changed it are committed. That is why this is a {@link CachedStateStore}, an internal
/// type of the pinned engine. Owned by one stream thread.
///
/// @param <T> the state, changed in place
final class WriteBehindStore<T> implements StateStore, CachedStateStore<String, T> {
  private final KeyValueStore<String, byte[]> bytes;
  private final StateJson<T> json;
  private final Supplier<T> initial;
  private final Map<String, T> live = new HashMap<>();
  private final Set<String> changed = new HashSet<>();
  private @Nullable InternalProcessorContext<?, ?> context;

  private WriteBehindStore(
      KeyValueStore<String, byte[]> bytes, StateJson<T> json, Supplier<T> initial) {
    this.bytes = bytes;
    this.json = json;
    this.initial = initial;
  }

  /// Builds such a store over an in-memory one with a changelog.
  static <T> StoreBuilder<WriteBehindStore<T>> builder(
      String name, Class<T> type, Supplier<T> initial) {
    var inner =
        org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore(name),
                Serdes.String(),
                Serdes.ByteArray())
            .withLoggingEnabled(Map.of())
            .withCachingDisabled();
    return new Builder<>(inner, new StateJson<>(type), initial);
  }

  /// The state of the key, to be changed in place; made when first asked for.
  T change(String key) {
    changed.add(key);
    return live.computeIfAbsent(key, this::load);
  }

  /// All keys, in no order.
  Set<String> keys() {
    var keys = new HashSet<>(live.keySet());
    try (var stored = bytes.all()) {
      stored.forEachRemaining(entry -> keys.add(entry.key));
    }
    return keys;
  }

  private T load(String key) {
    byte[] stored = bytes.get(key);
    return stored == null ? initial.get() : json.read(stored);
  }

  @Override
  public void flushCache() {
    if (changed.isEmpty()) {
      return;
    }
    var current = context == null ? null : context.recordContext();
    if (context != null) {
      // a state changed by the clock belongs to no record, and the changelog refuses a time of -1
      context.setRecordContext(
          new ProcessorRecordContext(
              context.currentSystemTimeMs(), -1, -1, null, new RecordHeaders()));
    }
    try {
      writeChanged();
    } finally {
      if (context != null) {
        context.setRecordContext(current);
      }
    }
  }

  private void writeChanged() {
    for (var key : changed) {
      var state = live.get(key);
      if (state != null) {
        bytes.put(key, json.write(state));
      }
    }
    changed.clear();
  }

  @Override
  public void clearCache() {
    live.clear();
    changed.clear();
  }

  @Override
  public boolean setFlushListener(CacheFlushListener<String, T> listener, boolean sendOldValues) {
    return false;
  }

  @Override
  public void commit(Map<TopicPartition, Long> changelogOffsets) {
    bytes.commit(changelogOffsets);
  }

  @Override
  public String name() {
    return bytes.name();
  }

  @Override
  public void init(StateStoreContext storeContext, StateStore root) {
    context = storeContext instanceof InternalProcessorContext<?, ?> internal ? internal : null;
    bytes.init(storeContext, this);
  }

  @Override
  public void close() {
    clearCache();
    bytes.close();
  }

  @Override
  public boolean persistent() {
    return bytes.persistent();
  }

  @Override
  public boolean isOpen() {
    return bytes.isOpen();
  }

  @Override
  public <R> QueryResult<R> query(Query<R> query, PositionBound positionBound, QueryConfig config) {
    return bytes.query(query, positionBound, config);
  }

  @Override
  public Position getPosition() {
    return bytes.getPosition();
  }

  private record Builder<T>(
      StoreBuilder<KeyValueStore<String, byte[]>> inner, StateJson<T> json, Supplier<T> initial)
      implements StoreBuilder<WriteBehindStore<T>> {

    @Override
    public WriteBehindStore<T> build() {
      return new WriteBehindStore<>(inner.build(), json, initial);
    }

    @Override
    public StoreBuilder<WriteBehindStore<T>> withCachingEnabled() {
      throw new UnsupportedOperationException("the store is its own cache");
    }

    @Override
    public StoreBuilder<WriteBehindStore<T>> withCachingDisabled() {
      return this;
    }

    @Override
    public StoreBuilder<WriteBehindStore<T>> withLoggingEnabled(Map<String, String> config) {
      inner.withLoggingEnabled(config);
      return this;
    }

    @Override
    public StoreBuilder<WriteBehindStore<T>> withLoggingDisabled() {
      inner.withLoggingDisabled();
      return this;
    }

    @Override
    public Map<String, String> logConfig() {
      return inner.logConfig();
    }

    @Override
    public boolean loggingEnabled() {
      return inner.loggingEnabled();
    }

    @Override
    public String name() {
      return inner.name();
    }
  }
}
