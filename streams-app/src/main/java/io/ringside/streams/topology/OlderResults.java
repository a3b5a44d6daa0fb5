package io.ringside.streams.topology;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Results that an older version left in a store. Those did not tell their job's namespace, but their keys did: they
/// get it from there. One whose key is not what its job's would be now is of no known job.
final class OlderResults<T> {
  private final KeyValueStore<String, T> store;
  private final Function<T, String> name;
  private final Function<T, JobKey> job;
  private final BiFunction<T, JobKey, T> of;

  private OlderResults(
      KeyValueStore<String, T> store,
      Function<T, String> name,
      Function<T, JobKey> job,
      BiFunction<T, JobKey, T> of) {
    this.store = store;
    this.name = name;
    this.job = job;
    this.of = of;
  }

  static OlderResults<Finding> findings(KeyValueStore<String, Finding> store) {
    return new OlderResults<>(
        store, Finding::id, JobKey::of, (finding, job) -> finding.but().job(job).build());
  }

  static OlderResults<RunSummary> runs(KeyValueStore<String, RunSummary> store) {
    return new OlderResults<>(
        store, RunSummary::run, JobKey::of, (run, job) -> run.within(job.namespace()));
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
            var at = before(name.apply(record.value), record.key);
            var told = job.apply(record.value);
            if (!told.text().equals(at)) {
              var value = within(at, told).map(key -> of.apply(record.value, key)).orElse(null);
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
