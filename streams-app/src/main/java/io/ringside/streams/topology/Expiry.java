package io.ringside.streams.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Searches a store of results for old results of jobs that no longer run. It reads one part of the
/// store at a time and starts over at the end. A part is limited in records and in time, since all
/// jobs of the thread wait meanwhile, and results of a job that names something new in every line
/// are large. If each job has a name of its own, nothing else would ever remove its results. Owned
/// by one stream thread.
final class Expiry<T> {
  /// Time between two parts: 1,440 parts a day.
  static final Duration PAUSE = Duration.ofMinutes(1);

  /// Most records in a part; each takes about 20 µs to read.
  private static final int PART = 200;

  /// After so much of the thread's time no further record is read.
  private static final long MOST_NANOS = 50_000_000;

  private final ResultKind<T> kind;
  private final KeyValueStore<String, T> store;
  private final LongSupplier nanos;
  private @Nullable String from;

  /// @param nanos the thread's own time, of which only differences have a meaning
  Expiry(ResultKind<T> kind, KeyValueStore<String, T> store, LongSupplier nanos) {
    this.kind = kind;
    this.store = store;
    this.nanos = nanos;
  }

  /// An old record: the key of its job, and its own key in the store.
  record Old(String job, String id) {}

  /// The old records of the next part.
  ///
  /// @param live keys of jobs whose results are kept
  /// @param before results that were last true before this time are old
  List<Old> next(Set<String> live, Instant before) {
    var old = new ArrayList<Old>();
    long began = nanos.getAsLong();
    try (var records = store.range(from, null)) {
      for (int i = 0; i < PART && records.hasNext(); i++) {
        if (i > 0 && nanos.getAsLong() - began > MOST_NANOS) {
          break;
        }
        var record = records.next();
        if (record.value == null) {
          continue; // the record cannot be read
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
