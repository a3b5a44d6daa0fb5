package io.ringside.streams.state;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.metrics.Sensor;
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
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// A store of live objects. Each record changes them in place, and they are written to the
/// changelog only when the task commits, so a record causes no serialisation of the state that it
/// touches.
///
/// A task flushes its caches before it commits, inside the transaction (Kafka Streams 4.3.1,
/// `StreamTask.flush`; `StateStore.commit` comes after it), so a change is in the changelog exactly
/// if the records that caused it are committed. That is why this is a {@link CachedStateStore}, an
/// internal type of the pinned engine. Owned by one stream thread.
///
/// @param <T> the state, changed in place
abstract class ObjectStore<T> implements StateStore, CachedStateStore<String, T> {
  /// The written bytes, with a changelog. For subclasses only.
  final KeyValueStore<String, byte[]> bytes;

  private static final Logger LOGGER = LoggerFactory.getLogger(ObjectStore.class);

  /// An object that was not used for this long is laid to rest: only its bytes remain. Shorter than
  /// the time between two judgements of a job that fell silent, which would stay live otherwise.
  static final long REST_MILLIS = 20_000;

  private static final long LOOK_MILLIS = 10_000;

  final Map<String, T> live = new HashMap<>();
  final Set<String> changed = new HashSet<>();
  private @Nullable InternalProcessorContext<?, ?> context;
  private @Nullable Sensor dropped;
  private boolean toldOfVersions;

  /// Time of the last use of each key, in milliseconds of the wall clock. After a restart all keys
  /// count as just used.
  private final Map<String, Long> asked = new HashMap<>();

  private long lookedMillis;

  /// Wall clock, in milliseconds. Tests set their own.
  LongSupplier clock = () -> 0;

  ObjectStore(KeyValueStore<String, byte[]> bytes) {
    this.bytes = bytes;
  }

  /// Reports that the stored state of this key has an unknown version or is damaged. The caller
  /// continues without it.
  final void unreadable(String key, RuntimeException cause) {
    if (cause instanceof StateVersionMismatch) {
      setAside(cause.getMessage());
    } else {
      LOGGER
          .atError()
          .setCause(cause)
          .addKeyValue("store", name())
          .addKeyValue("key", key)
          .log("state cannot be read and is dropped");
    }
    if (dropped != null) {
      dropped.record();
    }
  }

  /// Logs only one warning: after an update all state has the other version. The metric shows how
  /// much.
  private void setAside(@Nullable String what) {
    LOGGER
        .atLevel(toldOfVersions ? Level.DEBUG : Level.WARN)
        .addKeyValue("store", name())
        .addKeyValue("found", what)
        .log("state of another version is set aside, jobs are judged by the lines that come");
    toldOfVersions = true;
  }

  /// Writes the changes of this object since it was last written.
  abstract void write(String key, T state);

  /// Prepares an object for rest that nothing changed since it was last written.
  ///
  /// @return whether the stored bytes hold the whole object
  abstract boolean rests(String key, T state);

  /// The object of the key, loaded from its bytes if it is at rest.
  final T ask(String key, Function<String, T> load) {
    asked.put(key, nowMillis());
    var known = live.get(key);
    if (known == null) {
      known = load.apply(key);
      live.put(key, known);
    }
    return known;
  }

  /// Time of the key's last use in milliseconds; now if unknown.
  final long askedMillis(String key) {
    Long last = asked.putIfAbsent(key, nowMillis());
    return last == null ? nowMillis() : last;
  }

  final void forget(String key) {
    asked.remove(key);
    live.remove(key);
    changed.remove(key);
  }

  @Override
  public void flushCache() {
    long now = nowMillis();
    boolean looks = Math.abs(now - lookedMillis) >= LOOK_MILLIS;
    if (changed.isEmpty() && !looks) {
      return;
    }
    byTheClock(
        () -> {
          for (var key : changed) {
            var state = live.get(key);
            if (state != null) {
              write(key, state);
            }
          }
          changed.clear();
          if (looks) {
            lookedMillis = now;
            layToRest(now);
          }
        });
  }

  /// Lays an object to rest that will not be used for a while, at once unless it changed since it
  /// was last written.
  public final void rest(String key) {
    if (live.containsKey(key) && !changed.contains(key)) {
      byTheClock(() -> layToRest(key));
    }
  }

  private void layToRest(long now) {
    live.keySet().stream()
        .filter(key -> askedMillis(key) < now - REST_MILLIS)
        .toList()
        .forEach(this::layToRest);
  }

  private void layToRest(String key) {
    if (rests(key, Objects.requireNonNull(live.get(key)))) {
      live.remove(key);
    }
  }

  /// Writes what the clock causes: it belongs to no record, and the changelog refuses a time of -1.
  private void byTheClock(Runnable writes) {
    var current = context == null ? null : context.recordContext();
    if (context != null) {
      context.setRecordContext(
          new ProcessorRecordContext(
              context.currentSystemTimeMs(), -1, -1, null, new RecordHeaders()));
    }
    try {
      writes.run();
    } finally {
      if (context != null) {
        context.setRecordContext(current);
      }
    }
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
    if (storeContext instanceof InternalProcessorContext<?, ?> internal) {
      context = internal;
      clock = internal::currentSystemTimeMs;
    }
    dropped = DroppedState.sensor(storeContext.metrics(), name(), storeContext.taskId());
    bytes.init(storeContext, this);
  }

  final long nowMillis() {
    return clock.getAsLong();
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

  /// Makes a store on top of an in-memory store of bytes.
  interface Maker<S> {
    S over(KeyValueStore<String, byte[]> bytes);
  }

  static <S extends StateStore> StoreBuilder<S> builder(String name, Maker<S> maker) {
    return new Builder<>(
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
            .withLoggingEnabled(Map.of())
            .withCachingDisabled(),
        maker);
  }

  private record Builder<S extends StateStore>(
      StoreBuilder<KeyValueStore<String, byte[]>> inner, Maker<S> maker)
      implements StoreBuilder<S> {

    @Override
    public S build() {
      return maker.over(inner.build());
    }

    @Override
    public StoreBuilder<S> withCachingEnabled() {
      throw new UnsupportedOperationException("the store is its own cache");
    }

    @Override
    public StoreBuilder<S> withCachingDisabled() {
      return this;
    }

    @Override
    public StoreBuilder<S> withLoggingEnabled(Map<String, String> config) {
      inner.withLoggingEnabled(config);
      return this;
    }

    @Override
    public StoreBuilder<S> withLoggingDisabled() {
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
