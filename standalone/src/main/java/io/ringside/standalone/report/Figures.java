package io.ringside.standalone.report;

import io.ringside.streams.examine.DurationWords;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Numbers, times and names for people to read, the same in every locale. Times are UTC.
final class Figures {
  private static final DateTimeFormatter DAY = format("yyyy-MM-dd");
  private static final DateTimeFormatter SECOND = format("HH:mm:ss");
  private static final DateTimeFormatter MILLI = format("HH:mm:ss.SSS");

  private Figures() {}

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }

  /// `1,234,567`.
  static String count(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  /// `1 rank`, `8 ranks`.
  static String count(long n, String noun) {
    return count(n) + " " + noun + (n == 1 ? "" : "s");
  }

  /// `17 B`, `1.7 MB`: decimal units, as disks and `ls -h --si` count.
  static String bytes(long n) {
    if (n < 1000) {
      return n + " B";
    }
    double value = n;
    String unit = "";
    for (String next : new String[] {"kB", "MB", "GB", "TB"}) {
      value /= 1000;
      unit = next;
      if (value < 999.95) {
        break;
      }
    }
    return String.format(Locale.ROOT, "%.1f %s", value, unit);
  }

  /// `120 ms`, `12.1 s`, `3 min 20 s`, in the form used in findings.
  static String seconds(double s) {
    return DurationWords.time(s);
  }

  /// Beginning, end and length: `2026-11-20 20:42:26 – 20:42:55 UTC (29 s)`. Empty if both are
  /// unknown.
  static String span(@Nullable Instant since, @Nullable Instant until) {
    if (since == null) {
      return until == null
          ? ""
          : "until " + DAY.format(until) + " " + SECOND.format(until) + " UTC";
    }
    var start = DAY.format(since) + " " + SECOND.format(since);
    if (until == null) {
      return "since " + start + " UTC";
    }
    boolean sameDay = DAY.format(since).equals(DAY.format(until));
    var end = sameDay ? SECOND.format(until) : DAY.format(until) + " " + SECOND.format(until);
    var length = Duration.between(since, until).toNanos() / 1e9;
    return start + " – " + end + " UTC (" + seconds(length) + ")";
  }

  /// `20:42:26.942`, or `20:42:26` if the time has whole seconds.
  static String milli(Instant time) {
    return (time.truncatedTo(ChronoUnit.SECONDS).equals(time) ? SECOND : MILLI).format(time);
  }

  /// At most `width` characters, the last one an ellipsis if text is cut off.
  static String cut(String text, int width) {
    if (text.codePointCount(0, text.length()) <= width) {
      return text;
    }
    return width <= 0 ? "" : text.substring(0, text.offsetByCodePoints(0, width - 1)) + "…";
  }

  /// Padded with spaces on the right.
  static String left(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.codePointCount(0, text.length())));
  }

  /// Padded with spaces on the left.
  static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - text.codePointCount(0, text.length()))) + text;
  }
}
