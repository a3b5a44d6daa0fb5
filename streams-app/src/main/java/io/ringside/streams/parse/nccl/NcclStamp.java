package io.ringside.streams.parse.nccl;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.scan.Chars;

/// NCCL's own timestamp in front of the host (`NCCL_DEBUG_TIMESTAMP_FORMAT`, since 2.26.2). Read are the default
/// `[%F %T] ` and its kin: with fraction (`%T.%6f`), with `T` between date and time, without brackets.
final class NcclStamp {

  private static final int LENGTH = "2025-12-28 16:04:25".length();
  private static final String PATTERN = "dddd-dd-dd dd:dd:dd";

  private NcclStamp() {}

  /// Start of the date in front of `host`, or -1. A stamp with a zone is a collector's, not NCCL's.
  static int start(Text text, int from, int host) {
    if (host - from < LENGTH) {
      return -1;
    }
    var end = host;
    while (end > from && text.charAt(end - 1) == ' ') {
      end--;
    }
    if (end > from && text.charAt(end - 1) == ']') {
      end--;
    }
    var digits = end;
    while (digits > from && Chars.isDigit(text.charAt(digits - 1))) {
      digits--;
    }
    if (digits > from && (text.charAt(digits - 1) == '.' || text.charAt(digits - 1) == ',')) {
      end = digits - 1;
    }
    var start = end - LENGTH;
    return start >= from && fits(text, start) ? start : -1;
  }

  private static boolean fits(Text text, int start) {
    for (var i = 0; i < LENGTH; i++) {
      var c = text.charAt(start + i);
      var fits =
          switch (PATTERN.charAt(i)) {
            case 'd' -> Chars.isDigit(c);
            case ' ' -> c == ' ' || c == 'T' || c == '_';
            default -> c == PATTERN.charAt(i);
          };
      if (!fits) {
        return false;
      }
    }
    return two(text, start + 5) >= 1 && two(text, start + 5) <= 12;
  }

  /// Sub-second digits of the stamp.
  static int fractionDigits(Text text, int start) {
    var point = start + LENGTH;
    return isPoint(text.charAt(point))
        ? Chars.skipDigits(text, point + 1, text.length()) - point - 1
        : 0;
  }

  /// Epoch nanoseconds, local time read as UTC.
  static long nanos(Text text, int start) {
    var year = two(text, start) * 100L + two(text, start + 2);
    var days = days(year, two(text, start + 5), two(text, start + 8));
    var seconds =
        two(text, start + 11) * 3600L + two(text, start + 14) * 60L + two(text, start + 17);
    var nanos = 0L;
    var point = start + LENGTH;
    if (isPoint(text.charAt(point))) {
      var digits = Math.min(9, fractionDigits(text, start));
      nanos = Chars.digits(text, point + 1, point + 1 + digits);
      for (var i = digits; i < 9; i++) {
        nanos *= 10;
      }
    }
    return (days * 86_400L + seconds) * 1_000_000_000L + nanos;
  }

  private static boolean isPoint(char c) {
    return c == '.' || c == ',';
  }

  private static int two(Text text, int at) {
    return (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
  }

  /// Days since 1970-01-01 in the Gregorian calendar; the year begins in March, so that the leap day is last.
  private static long days(long year, int month, int day) {
    var y = month <= 2 ? year - 1 : year;
    var era = Math.floorDiv(y, 400L);
    var yearOfEra = y - era * 400;
    var dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    var dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146_097 + dayOfEra - 719_468;
  }
}
