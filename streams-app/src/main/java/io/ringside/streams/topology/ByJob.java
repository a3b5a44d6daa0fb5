package io.ringside.streams.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A store of records under `job|id`, with the records of each job that is asked for held as objects: a judge asks
/// several times a second, and reading them costs as much as judging. All changes go through here. Owned by
/// one stream thread.
final class ByJob<T> {
  private static final Logger LOGGER = LoggerFactory.getLogger(ByJob.class);

  private final KeyValueStore<String, T> store;
  private final Map<String, TreeMap<String, T>> held = new HashMap<>();

  ByJob(KeyValueStore<String, T> store) {
    this.store = store;
  }

  /// All records of the job, by id.
  List<T> of(String job) {
    return List.copyOf(records(job).values());
  }

  @Nullable T get(String job, String id) {
    return records(job).get(id);
  }

  void put(String job, String id, T value) {
    records(job).put(id, value);
    store.put(id, value);
  }

  void delete(String job, String id) {
    records(job).remove(id);
    store.delete(id);
  }

  /// Holds the job's records no longer; they stay in the store.
  void forget(String job) {
    held.remove(job);
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
      store.delete(id);
    }
    return records;
  }
}
