package io.ringside.streams.state;

import java.util.ArrayList;
import java.util.function.UnaryOperator;
import org.apache.kafka.streams.processor.StateStore;

/// Does to the bytes of a store what a disk, a bug or another version may do.
public final class Damage {
  private Damage() {}

  /// Changes all values of the store, and has it read them anew.
  public static void to(StateStore store, UnaryOperator<byte[]> change) {
    var objects = (ObjectStore<?>) store;
    objects.flushCache();
    objects.clearCache();
    var keys = new ArrayList<String>();
    try (var all = objects.bytes.all()) {
      all.forEachRemaining(entry -> keys.add(entry.key));
    }
    keys.forEach(key -> objects.bytes.put(key, change.apply(objects.bytes.get(key))));
  }
}
