package io.ringside.streams.topology;

/// When jobs may be judged again: not before judging has rested for many times as long as it took, so that large jobs
/// are judged less often and records come first. While records come that were sent a while ago, as after the start of
/// thousands of ranks, it rests longer still: what is told then is late anyway, and sooner up to date. Times are those of
/// the wall's clock in milliseconds.
final class Rest {
  /// So many times as long as judging took, within bounds.
  private static final int TIMES = 10;

  private static final long LONGEST_MILLIS = 1_000;

  /// However long it took.
  private static final int LEAST_TIMES = 2;

  /// Records sent longer ago than this show that not all is read.
  private static final long BEHIND_MILLIS = 5_000;

  private static final int TIMES_BEHIND = 30;
  private static final long LONGEST_BEHIND_MILLIS = 5_000;

  private long newestSentMillis = Long.MAX_VALUE;
  private long untilMillis;

  /// A record came that was sent at this time.
  void came(long sentMillis) {
    newestSentMillis =
        newestSentMillis == Long.MAX_VALUE ? sentMillis : Math.max(newestSentMillis, sentMillis);
  }

  boolean over(long nowMillis) {
    return nowMillis >= untilMillis;
  }

  /// Judging began at this time and took so long.
  void begin(long beganMillis, long tookMillis) {
    boolean behind = newestSentMillis < beganMillis - BEHIND_MILLIS;
    long most =
        behind
            ? Math.min(LONGEST_BEHIND_MILLIS, TIMES_BEHIND * tookMillis)
            : Math.min(LONGEST_MILLIS, TIMES * tookMillis);
    untilMillis = beganMillis + tookMillis + Math.max(LEAST_TIMES * tookMillis, most);
    newestSentMillis = Long.MAX_VALUE;
  }
}
