package io.ringside.streams.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Goes through a store of results, a part at a time and then from its beginning again, for what is
/// old and of jobs that no longer run. Where each job has a name of its own, nothing else would
/// ever end it. Owned by one stream thread.
final class Expiry<T> {
  /// Between two parts: 144 a day.
  static final Duration PAUSE = Duration.ofMinutes(10);

  /// Records of a part, each of which takes some 20 µs to read.
  private static final int PART = 2_000;

  private final ResultKind<T> kind;
  private final KeyValueStore<String, T> store;
  private @Nullable String from;

  Expiry(ResultKind<T> kind, KeyValueStore<String, T> store) {
    this.kind = kind;
    this.store = store;
  }

  /// A record's key in the store, and the job's part of it.
  record Old(String job, String id) {}

  /// What is old in the next part.
  ///
  /// @param live keys of jobs whose results stay
  /// @param before what was last true before is old
  List<Old> next(Set<String> live, Instant before) {
    var old = new ArrayList<Old>();
    try (var records = store.range(from, null)) {
      for (int i = 0; i < PART && records.hasNext(); i++) {
        var record = records.next();
        if (record.value == null) {
          continue; // it cannot be read
        }
        var job =
            record.key.substring(
                0, record.key.length() - kind.id().apply(record.value).length() - 1);
        var then = kind.last().apply(record.value);
        if (then != null && then.isBefore(before) && !live.contains(job)) {
          old.add(new Old(job, record.key));
        }
      }
      from = records.hasNext() ? records.peekNextKey() : null;
    }
    return old;
  }
}
