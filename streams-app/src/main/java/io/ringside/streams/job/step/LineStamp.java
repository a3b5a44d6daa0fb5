package io.ringside.streams.job.step;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/// The date and time that Python's loggers and Megatron-LM put in front of a line, for lines whose
/// carrier gives none or is late: `[2026-11-20 20:34:51,070] [INFO] …`,
/// ` [2026-02-01 10:00:00.123456] iteration …`,
/// `[INFO|trainer.py:2519] 2025-12-28 16:04:25,123 >> …`, and those in JSON,
/// `{"ts": "2026-10-02T07:00:06.040Z", …}`. Their time zone is not read: good for differences only.
final class LineStamp {
  private static final int SEARCHED = 64;
  private static final int DATE_AND_TIME = 19;

  private LineStamp() {}

  /// Unix epoch nanoseconds as if the stamp were UTC, NO_TIME if the line has none.
  static long of(String text) {
    int last = Math.min(SEARCHED, text.length() - DATE_AND_TIME);
    for (int at = 0; at <= last; at++) {
      if (looksLikeDate(text, at)) {
        return read(text, at);
      }
    }
    return NO_TIME;
  }

  /// The same, but NO_TIME if the stamp has no fraction of a second.
  static long fine(String text) {
    long nanos = of(text);
    return nanos != NO_TIME && nanos % 1_000_000_000L == 0 ? NO_TIME : nanos;
  }

  private static boolean looksLikeDate(String text, int at) {
    return text.charAt(at) == '2'
        && text.charAt(at + 4) == '-'
        && text.charAt(at + 7) == '-'
        && (text.charAt(at + 10) == ' ' || text.charAt(at + 10) == 'T')
        && text.charAt(at + 13) == ':'
        && text.charAt(at + 16) == ':';
  }

  private static long read(String text, int at) {
    try {
      var stamp = LocalDateTime.parse(text.substring(at, at + DATE_AND_TIME).replace(' ', 'T'));
      int end = at + DATE_AND_TIME;
      double fraction = 0;
      if (end < text.length() && (text.charAt(end) == ',' || text.charAt(end) == '.')) {
        double unit = 0.1;
        for (end++; end < text.length() && Character.isDigit(text.charAt(end)); end++) {
          fraction += unit * (text.charAt(end) - '0');
          unit /= 10;
        }
      }
      return Nanos.of(stamp.toInstant(ZoneOffset.UTC)) + Nanos.ofSeconds(fraction);
    } catch (DateTimeException e) {
      return NO_TIME;
    }
  }
}
