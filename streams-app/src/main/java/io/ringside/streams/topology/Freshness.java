package io.ringside.streams.topology;

/// Whether a partition's records come long after they were sent, so that not all of them is read
/// yet. Times are those of the wall's clock in milliseconds. Owned by one stream thread.
final class Freshness {
  /// Records sent longer ago than this show it.
  private static final long BEHIND_MILLIS = 5_000;

  private long newestSentMillis = Long.MAX_VALUE;

  /// A record came that was sent at this time.
  void came(long sentMillis) {
    newestSentMillis =
        newestSentMillis == Long.MAX_VALUE ? sentMillis : Math.max(newestSentMillis, sentMillis);
  }

  /// Whether even the newest record since this was last asked is old; false if none came.
  boolean behind(long nowMillis) {
    boolean behind = newestSentMillis < nowMillis - BEHIND_MILLIS;
    newestSentMillis = Long.MAX_VALUE;
    return behind;
  }
}
