package io.ringside.streams.join.job;

import io.ringside.schemas.event.GpuReading;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// The readings of a run's GPUs, second by second, for the last quarter of an hour. Of several
/// readings of a GPU in one second the first counts.
public final class GpuHistory {
  private static final int MAX_SECONDS = 900;

  private final TreeMap<Long, Map<String, GpuReading>> bySecond = new TreeMap<>();
  private final transient Map<String, GpuReading> latest = new HashMap<>();

  void add(String process, long atNanos, GpuReading reading) {
    var known = latest.get(process);
    var frugal = known == null ? reading : reading.sharing(known);
    latest.put(process, frugal);
    bySecond
        .computeIfAbsent(Math.floorDiv(atNanos, 1_000_000_000L), _ -> new TreeMap<>())
        .putIfAbsent(process, frugal);
    while (bySecond.size() > MAX_SECONDS) {
      bySecond.pollFirstEntry();
    }
  }

  void absorb(GpuHistory other) {
    other.bySecond.forEach(
        (second, readings) ->
            readings.forEach((process, reading) -> add(process, second * 1_000_000_000L, reading)));
  }

  /// The same within a time, both ends included.
  public Map<Long, Map<String, GpuReading>> between(Instant since, Instant until) {
    return bySecond.subMap(since.getEpochSecond(), true, until.getEpochSecond(), true);
  }

  /// Readings by second of the Unix epoch, then by process id.
  public Map<Long, Map<String, GpuReading>> bySecond() {
    return bySecond;
  }
}
