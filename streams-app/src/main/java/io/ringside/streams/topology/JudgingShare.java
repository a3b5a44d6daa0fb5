package io.ringside.streams.topology;

import java.util.HashMap;
import java.util.Map;

/// Limits the time of the thread that judgements of one job may take. Each job gets a share of the
/// passing time and may save some of it.
final class JudgingShare {
  /// Most time that a job may save, and what it starts with: enough for some hundred runs of a
  /// usual job.
  private static final long MOST_NANOS = 5_000_000_000L;

  private final int percent;
  private final Map<String, Credit> credits = new HashMap<>();

  /// @param percent share of the passing time
  JudgingShare(int percent) {
    this.percent = percent;
  }

  private record Credit(long nanos, long atMillis) {
    Credit at(long nowMillis, int percent) {
      // a clock that was set back adds nothing
      long passed = Math.clamp(nowMillis - atMillis, 0, MOST_NANOS / 1_000_000 * 100 / percent);
      return new Credit(
          Math.min(MOST_NANOS, nanos + passed * 1_000_000 * percent / 100), nowMillis);
    }
  }

  boolean lets(String job, long nowMillis) {
    var credit = credits.get(job);
    return credit == null || credit.at(nowMillis, percent).nanos() > 0;
  }

  void took(String job, long nanos, long nowMillis) {
    var now = credits.getOrDefault(job, new Credit(MOST_NANOS, nowMillis)).at(nowMillis, percent);
    credits.put(job, new Credit(now.nanos() - nanos, nowMillis));
  }

  void forget(String job) {
    credits.remove(job);
  }
}
