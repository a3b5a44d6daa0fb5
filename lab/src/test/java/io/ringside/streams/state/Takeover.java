package io.ringside.streams.state;

import java.util.Objects;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueStore;

/// What an instance of the service has committed as another one finds it in the changelogs: all
/// else that it knew is gone.
public final class Takeover {
  private Takeover() {}

  /// Fills the stores of an instance that has done nothing yet.
  public static void of(TopologyTestDriver from, TopologyTestDriver to) {
    var stores = to.getAllStateStores();
    from.getAllStateStores()
        .forEach(
            (name, store) ->
                copy(entries(store), entries(Objects.requireNonNull(stores.get(name)))));
  }

  private static <T> void copy(KeyValueStore<String, T> from, KeyValueStore<?, ?> to) {
    @SuppressWarnings("unchecked") // the same store of the same topology
    var same = (KeyValueStore<String, T>) to;
    try (var all = from.all()) {
      all.forEachRemaining(entry -> same.put(entry.key, entry.value));
    }
  }

  @SuppressWarnings("unchecked") // all keys are strings
  private static KeyValueStore<String, ?> entries(StateStore store) {
    return store instanceof ObjectStore<?> objects
        ? objects.bytes
        : (KeyValueStore<String, ?>) store;
  }
}
