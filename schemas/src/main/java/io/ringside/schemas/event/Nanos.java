package io.ringside.schemas.event;

import java.time.Instant;

/// Times as nanoseconds since the Unix epoch, which saves an object per line.
public final class Nanos {
  private static final long PER_SECOND = 1_000_000_000L;

  private Nanos() {}

  /// The instant's nanoseconds since the epoch; valid for the years 1678 to 2262.
  public static long of(Instant instant) {
    return instant.getEpochSecond() * PER_SECOND + instant.getNano();
  }

  /// The instant that lies this many nanoseconds after the epoch.
  public static Instant instant(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, PER_SECOND), Math.floorMod(nanos, PER_SECOND));
  }

  /// Nanoseconds as fractional seconds.
  public static double seconds(long nanos) {
    return nanos / (double) PER_SECOND;
  }

  /// Seconds as nanoseconds, rounded.
  public static long ofSeconds(double seconds) {
    return Math.round(seconds * PER_SECOND);
  }
}
