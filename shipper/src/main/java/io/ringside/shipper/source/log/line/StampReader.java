package io.ringside.shipper.source.log.line;

import io.ringside.schemas.event.LogChunk;
import java.time.DateTimeException;
import java.time.LocalDate;

/// Parses RFC 3339 times as container runtimes write them, `2026-11-20T20:42:26.942294769Z`, with 0
/// to 9 decimals of a second and `Z` or an offset such as `+01:00`. Caches the last day, since the
/// next line nearly always has the same. Not thread-safe.
final class StampReader {
  /// `2026-11-20T20:42:26Z`
  static final int SHORTEST = 20;

  private static final long NANOS = 1_000_000_000L;
  private static final int NO_DIGITS = -1_000_000;
  private long dayCode = -1;
  private long dayStart;

  /// Nanoseconds since the Unix epoch, or {@link LogChunk#NO_TIME} if `[from, to)` is not such a
  /// time.
  long nanos(byte[] b, int from, int to) {
    if (to - from < SHORTEST
        || b[from + 4] != '-'
        || b[from + 7] != '-'
        || b[from + 10] != 'T'
        || b[from + 13] != ':'
        || b[from + 16] != ':') {
      return LogChunk.NO_TIME;
    }
    int year = pair(b, from) * 100 + pair(b, from + 2);
    int month = pair(b, from + 5);
    int day = pair(b, from + 8);
    int hour = pair(b, from + 11);
    int minute = pair(b, from + 14);
    int second = pair(b, from + 17);
    if ((year | month | day | hour | minute | second) < 0 || hour > 23 || minute > 59) {
      return LogChunk.NO_TIME;
    }
    int i = from + 19;
    long fraction = 0;
    if (b[i] == '.') {
      long unit = NANOS;
      for (i++; i < to && b[i] >= '0' && b[i] <= '9'; i++) {
        unit /= 10;
        fraction += unit * (b[i] - '0');
      }
    }
    long offset = offsetSeconds(b, i, to);
    long start = dayStart(year, month, day);
    if (offset == LogChunk.NO_TIME || start == LogChunk.NO_TIME) {
      return LogChunk.NO_TIME;
    }
    return (start + hour * 3600L + minute * 60L + second - offset) * NANOS + fraction;
  }

  private long dayStart(int year, int month, int day) {
    long code = (year * 100L + month) * 100 + day;
    if (code != dayCode) {
      try {
        dayStart = LocalDate.of(year, month, day).toEpochDay() * 86_400L;
      } catch (DateTimeException e) {
        return LogChunk.NO_TIME;
      }
      dayCode = code;
    }
    return dayStart;
  }

  private static long offsetSeconds(byte[] b, int from, int to) {
    if (to - from == 1 && b[from] == 'Z') {
      return 0;
    }
    if (to - from == 6 && (b[from] == '+' || b[from] == '-') && b[from + 3] == ':') {
      int hours = pair(b, from + 1);
      int minutes = pair(b, from + 4);
      if (hours >= 0 && minutes >= 0) {
        long seconds = hours * 3600L + minutes * 60L;
        return b[from] == '-' ? -seconds : seconds;
      }
    }
    return LogChunk.NO_TIME;
  }

  /// The value of two digits, or a number so negative that no sum with it is positive.
  private static int pair(byte[] b, int at) {
    int tens = b[at] - '0';
    int ones = b[at + 1] - '0';
    return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? NO_DIGITS : tens * 10 + ones;
  }
}
