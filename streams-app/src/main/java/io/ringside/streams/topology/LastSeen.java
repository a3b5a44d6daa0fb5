package io.ringside.streams.topology;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Time when each key last had a record, by the wall clock. Kept in memory only: after a restart
/// every key counts as just seen, so that no key seems silent because the service was down.
final class LastSeen {
  private final Map<String, Long> millis = new HashMap<>();

  void seen(String key, long nowMillis) {
    millis.put(key, nowMillis);
  }

  boolean isSeen(String key) {
    return millis.containsKey(key);
  }

  /// Returns the keys that were silent for at least this long and stops watching them.
  List<String> takeSilent(Duration silence, long nowMillis) {
    var silent = new ArrayList<String>();
    millis
        .entrySet()
        .removeIf(
            entry -> {
              boolean over = nowMillis - entry.getValue() >= silence.toMillis();
              if (over) {
                silent.add(entry.getKey());
              }
              return over;
            });
    return silent;
  }
}
