package io.ringside.streams.parse.scan;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Text;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

/// Dates as C's `ctime` writes them, alone on a line: `Tue Sep 29 04:04:44 2026`, which nvidia-smi
/// prints above its table. They have no zone and are read as UTC.
public final class Ctime {
  private static final int LENGTH = "Tue Sep 29 04:04:44 2026".length();

  /// Limit for epoch nanoseconds in a long, which overflow in the year 2262.
  private static final int LAST_YEAR = 2200;

  private static final List<String> DAYS =
      List.of("Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun ");

  private static final List<String> MONTHS =
      List.of(
          "Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ",
          "Dec ");

  private Ctime() {}

  /// Epoch nanoseconds if the range holds only such a date and blanks, else [LogChunk#NO_TIME].
  public static long nanos(Text text, int start, int end) {
    if (end - start < LENGTH
        || text.charAt(start + 13) != ':'
        || text.charAt(start + 16) != ':'
        || Chars.skipBlanks(text, start + LENGTH, end) < end
        || !DAYS.contains(text.substring(start, start + 4))) {
      return NO_TIME;
    }
    int month = MONTHS.indexOf(text.substring(start + 4, start + 8)) + 1;
    int day = number(text, start + 8, start + 10);
    int hour = number(text, start + 11, start + 13);
    int minute = number(text, start + 14, start + 16);
    int second = number(text, start + 17, start + 19);
    int year = number(text, start + 20, start + LENGTH);
    if (year > LAST_YEAR) {
      return NO_TIME;
    }
    try {
      return LocalDateTime.of(year, month, day, hour, minute, second).toEpochSecond(ZoneOffset.UTC)
          * 1_000_000_000L;
    } catch (DateTimeException e) {
      return NO_TIME;
    }
  }

  /// Value of a range that holds blanks and digits, else -1.
  private static int number(Text text, int from, int to) {
    int at = Chars.skipBlanks(text, from, to);
    return at < to && Chars.skipDigits(text, at, to) == to ? Chars.smallDigits(text, at, to) : -1;
  }
}
