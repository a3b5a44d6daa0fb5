package io.ringside.streams.topology;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Limits the time of the thread that judgements of one job may take. Each job gets a share of the
/// passing time and may save some of it.
final class JudgingShare {
  /// Enough for some hundred runs of a usual job.
  static final Duration MOST = Duration.ofSeconds(5);

  /// A hundredth of a millisecond.
  private static final long NANOS_A_PERCENT = 10_000;

  private final int percent;
  private final long mostNanos;
  private final Map<String, Credit> credits = new HashMap<>();

  /// @param percent share of the passing time
  /// @param most most time that a job may save, and what it starts with
  JudgingShare(int percent, Duration most) {
    this.percent = percent;
    this.mostNanos = most.toNanos();
  }

  private record Credit(long nanos, long atMillis) {}

  boolean lets(String job, long nowMillis) {
    var credit = credits.get(job);
    return credit == null || at(credit, nowMillis).nanos() > 0;
  }

  void took(String job, long nanos, long nowMillis) {
    var now = at(credits.getOrDefault(job, new Credit(mostNanos, nowMillis)), nowMillis);
    credits.put(job, new Credit(now.nanos() - nanos, nowMillis));
  }

  void forget(String job) {
    credits.remove(job);
  }

  private Credit at(Credit credit, long nowMillis) {
    // a clock that was set back adds nothing
    long passed = Math.max(0, nowMillis - credit.atMillis());
    return new Credit(
        Math.min(mostNanos, credit.nanos() + passed * NANOS_A_PERCENT * percent), nowMillis);
  }
}
