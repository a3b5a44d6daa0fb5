package io.ringside.streams.examine;

import java.util.Locale;

/// Formats durations for people.
public final class DurationWords {
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;
  private static final int DAY = 24 * HOUR;

  private DurationWords() {}

  /// `820 ms`, `2.44 s`, `15.5 s`, `41 s`, `10 min`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`: three
  /// digits or two units, without zero parts. The page's `duration` (dom.js) does the same.
  public static String time(double seconds) {
    if (seconds < 0.0005) {
      return seconds <= 0 ? "0 s" : "< 1 ms";
    }
    if (seconds < 0.9995) {
      return String.format(Locale.ROOT, "%.0f ms", 1000 * seconds);
    }
    if (seconds < 99.95) {
      return short3(seconds) + " s";
    }
    long all = Math.round(seconds);
    if (all < HOUR) {
      return joined(all / MINUTE, " min", all % MINUTE, " s");
    }
    return all < DAY
        ? joined(all / HOUR, " h", all % HOUR / MINUTE, " min")
        : joined(all / DAY, " d", all % DAY / HOUR, " h");
  }

  /// Formats three digits without trailing zeros.
  private static String short3(double seconds) {
    return String.format(Locale.ROOT, seconds < 9.995 ? "%.2f" : "%.1f", seconds)
        .replaceFirst("\\.?0+$", "");
  }

  private static String joined(long large, String unit, long small, String smallUnit) {
    return large + unit + (small == 0 ? "" : " " + small + smallUnit);
  }
}
