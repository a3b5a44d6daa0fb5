package io.ringside.streams.topology;

import java.util.HashMap;
import java.util.Map;

/// Limits the time of the thread that one job may take with judgements that its records trigger at
/// once, when a run ends or makes the state forget an older run. A job that starts a new run in
/// each line would take the whole thread. So each job gets a share of the passing time and may save
/// some of it. Beyond that, judgements wait for the clock, and runs that are forgotten meanwhile
/// stay unjudged.
final class JudgingShare {
  /// Share of the passing time, in percent.
  private static final int PERCENT = 1;

  /// Most time that a job may save, and what it starts with: enough for some hundred runs of a
  /// usual job.
  private static final long MOST_NANOS = 5_000_000_000L;

  private final Map<String, Credit> credits = new HashMap<>();

  private record Credit(long nanos, long atMillis) {
    Credit at(long nowMillis) {
      // a clock that was set back adds nothing
      long passed = Math.clamp(nowMillis - atMillis, 0, MOST_NANOS / 1_000_000 * 100 / PERCENT);
      return new Credit(
          Math.min(MOST_NANOS, nanos + passed * 1_000_000 * PERCENT / 100), nowMillis);
    }
  }

  boolean lets(String job, long nowMillis) {
    var credit = credits.get(job);
    return credit == null || credit.at(nowMillis).nanos() > 0;
  }

  void took(String job, long nanos, long nowMillis) {
    var now = credits.getOrDefault(job, new Credit(MOST_NANOS, nowMillis)).at(nowMillis);
    credits.put(job, new Credit(now.nanos() - nanos, nowMillis));
  }

  void forget(String job) {
    credits.remove(job);
  }
}
