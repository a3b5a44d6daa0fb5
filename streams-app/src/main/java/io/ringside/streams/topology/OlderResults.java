package io.ringside.streams.topology;

import io.ringside.schemas.event.JobKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Results that an older version left in a store. Those did not tell their job's namespace, but
/// their keys did: they get it from there. One whose key is not what its job's would be now is of
/// no known job.
final class OlderResults<T> {
  private final ResultKind<T> kind;
  private final KeyValueStore<String, T> store;

  OlderResults(ResultKind<T> kind, KeyValueStore<String, T> store) {
    this.kind = kind;
    this.store = store;
  }

  /// A result to write anew.
  ///
  /// @param job key of the job, as the store has it
  /// @param id key of the result
  /// @param value as it is to be; null to set it aside
  record Older<T>(String job, String id, @Nullable T value) {}

  /// Looks through the whole store.
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

  /// The job's part of the key.
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
