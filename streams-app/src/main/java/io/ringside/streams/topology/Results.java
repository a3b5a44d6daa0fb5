package io.ringside.streams.topology;

import io.ringside.streams.state.DroppedState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Published results of jobs: a store of records under `job|id`, whose changes are sent to the next
/// step. The records of each job that is asked for are also held as objects until they are
/// forgotten, because a judge asks several times a second and deserialising them costs as much as
/// judging. All changes go through this class. Owned by one stream thread.
final class Results<T> {
  private static final Logger LOGGER = LoggerFactory.getLogger(Results.class);

  private final KeyValueStore<String, T> store;
  private final Expiry<T> expiry;
  private final OlderResults<T> older;
  private final Consumer<Record<String, @Nullable T>> next;
  private final Sensor dropped;
  private final Map<String, TreeMap<String, T>> held = new HashMap<>();

  Results(ResultKind<T> kind, ProcessorContext<String, Object> context) {
    store = context.getStateStore(kind.store());
    expiry = new Expiry<>(kind, store, JudgingBudget::nanos);
    older = new OlderResults<>(kind, store);
    next = change -> context.forward(change, kind.step());
    dropped = DroppedState.sensor(context.metrics(), kind.store(), context.taskId());
  }

  /// All records of the job, by ID.
  List<T> of(String job) {
    return List.copyOf(records(job).values());
  }

  @Nullable T get(String job, String id) {
    return records(job).get(id);
  }

  void put(String job, String id, T value, long nowMillis) {
    records(job).put(id, value);
    store.put(id, value);
    next.accept(new Record<>(id, value, nowMillis));
  }

  /// Deletes the result and publishes that.
  void drop(String job, String id, long nowMillis) {
    records(job).remove(id);
    store.delete(id);
    next.accept(new Record<>(id, null, nowMillis));
  }

  /// Drops the job's records from memory; they stay in the store.
  void forget(String job) {
    held.remove(job);
  }

  /// Deletes some old results of jobs that have not run for a long time.
  ///
  /// @param live keys of jobs whose results are kept
  void expire(Set<String> live, Instant before, long nowMillis) {
    for (var each : expiry.next(live, before)) {
      drop(each.job(), each.id(), nowMillis);
      forget(each.job());
    }
  }

  /// Converts results that an older version wrote, or sets them aside.
  ///
  /// @return number of results set aside
  int mend(long nowMillis) {
    int aside = 0;
    for (var each : older.all()) {
      if (each.value() == null) {
        aside++;
        drop(each.job(), each.id(), nowMillis);
      } else {
        put(each.job(), each.id(), each.value(), nowMillis);
      }
      forget(each.job());
    }
    return aside;
  }

  private TreeMap<String, T> records(String job) {
    return held.computeIfAbsent(job, this::read);
  }

  private TreeMap<String, T> read(String job) {
    var records = new TreeMap<String, T>();
    var unreadable = new ArrayList<String>();
    try (var entries = store.prefixScan(job + "|", new StringSerializer())) {
      while (entries.hasNext()) {
        var entry = entries.next();
        T value = entry.value;
        if (value == null) {
          unreadable.add(entry.key);
        } else {
          records.put(entry.key, value);
        }
      }
    }
    for (var id : unreadable) {
      LOGGER
          .atError()
          .addKeyValue("store", store.name())
          .addKeyValue("key", id)
          .log("result cannot be read and is dropped");
      dropped.record();
      store.delete(id);
    }
    return records;
  }
}
