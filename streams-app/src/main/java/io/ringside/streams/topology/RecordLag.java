package io.ringside.streams.topology;

/// Shows whether a partition's records arrive long after they were sent, which means that a backlog
/// is still unread. Times are milliseconds of the wall clock. Owned by one stream thread.
final class RecordLag {
  /// Age in milliseconds from which the newest record shows a backlog.
  private static final long BEHIND_MILLIS = 5_000;

  private long newestSentMillis = Long.MAX_VALUE;

  /// Notes a record that was sent at this time.
  void received(long sentMillis) {
    newestSentMillis =
        newestSentMillis == Long.MAX_VALUE ? sentMillis : Math.max(newestSentMillis, sentMillis);
  }

  /// Whether even the newest record since the last call is old; false if none came.
  boolean isBehind(long nowMillis) {
    boolean behind = newestSentMillis < nowMillis - BEHIND_MILLIS;
    newestSentMillis = Long.MAX_VALUE;
    return behind;
  }
}
