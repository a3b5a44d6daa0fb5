package io.ringside.streams.topology;

/// Shows how long after they were sent a partition's records arrive: how much is still unread.
/// Times are milliseconds of the wall clock. Owned by one stream thread.
final class RecordLag {
  /// Age in milliseconds from which the newest record shows that the thread has more to do than it
  /// can.
  private static final long LATE_MILLIS = 1_000;

  /// Age in milliseconds from which the newest record shows a backlog.
  private static final long BEHIND_MILLIS = 5_000;

  /// How late records arrive.
  enum Lag {
    IN_TIME,
    LATE,
    BEHIND;

    /// The larger one.
    Lag or(Lag other) {
      return compareTo(other) > 0 ? this : other;
    }
  }

  private long newestSentMillis = Long.MAX_VALUE;

  /// Notes a record that was sent at this time.
  void received(long sentMillis) {
    newestSentMillis =
        newestSentMillis == Long.MAX_VALUE ? sentMillis : Math.max(newestSentMillis, sentMillis);
  }

  /// How late even the newest record since the last call arrived; in time if none came.
  Lag take(long nowMillis) {
    var lag =
        newestSentMillis < nowMillis - BEHIND_MILLIS
            ? Lag.BEHIND
            : newestSentMillis < nowMillis - LATE_MILLIS ? Lag.LATE : Lag.IN_TIME;
    newestSentMillis = Long.MAX_VALUE;
    return lag;
  }
}
