package io.ringside.streams.topology;

import io.ringside.schemas.event.JobKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Results that an older version left in a store. Their values lack the job's namespace, but their
/// keys contain it, so it is taken from there. A result whose key differs from the key that its job
/// would have today belongs to no known job.
final class OlderResults<T> {
  private final ResultKind<T> kind;
  private final KeyValueStore<String, T> store;

  OlderResults(ResultKind<T> kind, KeyValueStore<String, T> store) {
    this.kind = kind;
    this.store = store;
  }

  /// A result to be rewritten.
  ///
  /// @param job key of the job, as the store's key contains it
  /// @param id key of the result
  /// @param value the new value; null to set the result aside
  record Older<T>(String job, String id, @Nullable T value) {}

  /// Searches the whole store.
  List<Older<T>> all() {
    var older = new ArrayList<Older<T>>();
    try (var records = store.all()) {
      records.forEachRemaining(
          record -> {
            var at = before(kind.id().apply(record.value), record.key);
            var told = kind.job().apply(record.value);
            if (!told.text().equals(at)) {
              var value =
                  within(at, told).map(key -> kind.within().apply(record.value, key)).orElse(null);
              older.add(new Older<>(at, record.key, value));
            }
          });
    }
    return older;
  }

  /// The part of the key that names the job.
  private static String before(String id, String key) {
    return key.endsWith("|" + id) ? key.substring(0, key.length() - id.length() - 1) : key;
  }

  private static Optional<JobKey> within(String at, JobKey told) {
    var first = told.cluster() + "|";
    var last = "|" + told.job();
    if (!told.namespace().isEmpty()
        || !at.startsWith(first)
        || !at.endsWith(last)
        || at.length() < first.length() + last.length()) {
      return Optional.empty();
    }
    var namespace = at.substring(first.length(), at.length() - last.length());
    return Optional.of(new JobKey(told.cluster(), namespace, told.job()))
        .filter(key -> key.text().equals(at));
  }
}
