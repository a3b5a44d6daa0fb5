package io.ringside.streams.examine;

import java.util.Locale;

/// Lengths of time as people say them.
public final class Spoken {
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;

  private Spoken() {}

  /// `820 ms`, `15.5 s`, `41 s`, `10 min`, `3 min 20 s`, `2 h 5 min`: what is 0 is not said.
  public static String time(double seconds) {
    if (seconds < 0.9995) {
      return String.format(Locale.ROOT, "%.0f ms", 1000 * Math.max(0, seconds));
    }
    if (seconds < 99.95) {
      return String.format(Locale.ROOT, "%.1f s", seconds).replace(".0 ", " ");
    }
    long all = Math.round(seconds);
    return all < HOUR
        ? joined(all / MINUTE, " min", all % MINUTE, " s")
        : joined(all / HOUR, " h", all % HOUR / MINUTE, " min");
  }

  private static String joined(long large, String unit, long small, String smallUnit) {
    return large + unit + (small == 0 ? "" : " " + small + smallUnit);
  }
}
