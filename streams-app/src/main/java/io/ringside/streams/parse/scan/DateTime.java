package io.ringside.streams.parse.scan;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Text;

/// Dates with a time of day as programs, container runtimes and collectors write them:
/// `2026-11-20T20:42:26.942294769Z`, `2026-11-20 20:42:26,123`, `2026-11-20T20:42:26+0100`. A time
/// without a zone is read as UTC.
public final class DateTime {

  /// Length of date and time without fraction and zone, in chars.
  public static final int LENGTH = "2026-11-20 20:42:26".length();

  private static final String PATTERN = "dddd-dd-dd dd:dd:dd";

  private DateTime() {}

  /// Whether date and time begin here.
  public static boolean isAt(Text text, int at, int end) {
    if (end - at < LENGTH || text.charAt(at + 4) != '-' || text.charAt(at + 13) != ':') {
      return false;
    }
    for (var i = 0; i < LENGTH; i++) {
      var c = text.charAt(at + i);
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
    return two(text, at + 5) >= 1 && two(text, at + 5) <= 12;
  }

  /// Index after the fraction of the date and time at an index.
  public static int fractionEnd(Text text, int at, int end) {
    var point = at + LENGTH;
    return point < end
            && isPoint(text.charAt(point))
            && Chars.skipDigits(text, point + 1, end) > point + 1
        ? Chars.skipDigits(text, point + 1, end)
        : point;
  }

  /// Index after the zone at an index, or the index itself if there is no zone.
  static int zoneEnd(Text text, int at, int end) {
    if (at < end && text.charAt(at) == 'Z') {
      return at + 1;
    }
    if (end - at < 5 || text.charAt(at) != '+' && text.charAt(at) != '-') {
      return at;
    }
    var hours = Chars.skipDigits(text, at + 1, Math.min(end, at + 5));
    if (hours == at + 5) {
      return hours;
    }
    return hours == at + 3
            && text.charAt(hours) == ':'
            && Chars.skipDigits(text, hours + 1, Math.min(end, hours + 3)) == hours + 3
        ? hours + 3
        : at;
  }

  /// Epoch nanoseconds of a stamp that [#isAt] found, with its fraction and zone.
  static long nanos(Text text, int at, int end) {
    var fraction = fractionEnd(text, at, end);
    var local = nanos(text, at);
    var zone = zoneEnd(text, fraction, end);
    if (local == NO_TIME || zone - fraction < 5) {
      return local;
    }
    var minutes = two(text, fraction + 1) * 60L + two(text, zone - 2);
    return local - (text.charAt(fraction) == '-' ? -minutes : minutes) * 60_000_000_000L;
  }

  /// The same without a zone.
  public static long nanos(Text text, int start) {
    var year = two(text, start) * 100L + two(text, start + 2);
    var days = days(year, two(text, start + 5), two(text, start + 8));
    var seconds =
        two(text, start + 11) * 3600L + two(text, start + 14) * 60L + two(text, start + 17);
    var nanos = 0L;
    var point = start + LENGTH;
    var behind = fractionEnd(text, start, text.length());
    if (behind > point) {
      var digits = Math.min(9, behind - point - 1);
      nanos = Chars.digits(text, point + 1, point + 1 + digits);
      for (var i = digits; i < 9; i++) {
        nanos *= 10;
      }
    }
    return (days * 86_400L + seconds) * 1_000_000_000L + nanos;
  }

  /// Whether the char separates the seconds from their fraction.
  private static boolean isPoint(char c) {
    return c == '.' || c == ',';
  }

  private static int two(Text text, int at) {
    return (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
  }

  /// Days since 1970-01-01 in the Gregorian calendar. The year is counted from March, so that the
  /// leap day comes last.
  private static long days(long year, int month, int day) {
    var y = month <= 2 ? year - 1 : year;
    var era = Math.floorDiv(y, 400L);
    var yearOfEra = y - era * 400;
    var dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    var dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146_097 + dayOfEra - 719_468;
  }
}
