package io.ringside.streams.topology;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// When each key last had a record, by the wall clock. Lives in memory: after a restart every key
/// counts as seen just then, so that nothing is taken for silent because nobody listened.
final class LastSeen {
  private final Map<String, Long> millis = new HashMap<>();

  void seen(String key, long nowMillis) {
    millis.put(key, nowMillis);
  }

  boolean isSeen(String key) {
    return millis.containsKey(key);
  }

  /// Those silent for as long, and no longer watched.
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
