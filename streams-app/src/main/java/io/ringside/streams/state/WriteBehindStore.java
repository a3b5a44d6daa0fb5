package io.ringside.streams.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/// A store of small objects, each written as a whole.
///
/// @param <T> the state, changed in place
public final class WriteBehindStore<T> extends ObjectStore<T> {
  private final StateBytes<T> form;
  private final Supplier<T> initial;

  private WriteBehindStore(
      KeyValueStore<String, byte[]> bytes, StateBytes<T> form, Supplier<T> initial) {
    super(bytes);
    this.form = form;
    this.initial = initial;
  }

  public static <T> StoreBuilder<WriteBehindStore<T>> builder(
      String name, Class<T> type, Supplier<T> initial) {
    var form = new StateBytes<>(type);
    return builder(name, bytes -> new WriteBehindStore<>(bytes, form, initial));
  }

  /// The state of the key, to be changed in place; created on first use.
  public T change(String key) {
    changed.add(key);
    return get(key);
  }

  /// The state of the key, for reading only; a change is kept only if {@link #change} was called.
  public T get(String key) {
    return ask(key, this::load);
  }

  /// All keys, in memory or only written.
  public Set<String> keys() {
    var keys = new TreeSet<>(live.keySet());
    try (var all = bytes.all()) {
      all.forEachRemaining(entry -> keys.add(entry.key));
    }
    return keys;
  }

  /// Forgets the keys that were not used since then and returns them.
  public List<String> forgetUntouched(long sinceMillis) {
    var gone = new ArrayList<String>();
    for (var key : keys()) {
      if (askedMillis(key) < sinceMillis) {
        gone.add(key);
      }
    }
    gone.forEach(this::remove);
    return gone;
  }

  /// Forgets the key.
  public void remove(String key) {
    forget(key);
    bytes.delete(key);
  }

  private T load(String key) {
    byte @Nullable [] stored = bytes.get(key);
    if (stored == null) {
      return initial.get();
    }
    try {
      return form.read(stored);
    } catch (SerializationException e) {
      unreadable(key, e);
      bytes.delete(key);
      return initial.get();
    }
  }

  /// An object that was only read has no bytes, so it stays in memory.
  @Override
  boolean rests(String key, T state) {
    return bytes.get(key) != null;
  }

  @Override
  void write(String key, T state) {
    bytes.put(key, form.write(state));
  }
}
