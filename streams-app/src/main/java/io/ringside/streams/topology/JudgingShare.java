package io.ringside.streams.topology;

import java.util.HashMap;
import java.util.Map;

/// How much of a thread's time a job may take with judgements that its records ask for at once, for
/// a start that ends or that makes it forget an older one. Whoever begins anew in each line would
/// take the whole thread: it gets a share of what time passes, and what it has saved of that.
/// Beyond it judgements wait for the clock, and starts that are forgotten meanwhile stay unjudged.
final class JudgingShare {
  /// Of the time that passes, in percent.
  private static final int PERCENT = 1;

  /// What a job may take at most at once, and has to begin with: some hundred starts of a usual
  /// job.
  private static final long MOST_NANOS = 5_000_000_000L;

  private final Map<String, Credit> credits = new HashMap<>();

  private record Credit(long nanos, long atMillis) {
    Credit at(long nowMillis) {
      // a clock that is set back gives nothing
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
