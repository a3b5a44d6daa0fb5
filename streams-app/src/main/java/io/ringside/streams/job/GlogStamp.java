package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The timestamp of torch's C++ lines,
/// `[rank0]:[E1123 00:28:42.563213393 ProcessGroupNCCL.cpp:689]`, for lines whose carrier gives
/// none (c10/util/Logging.cpp, from torch 2.4 on). It names neither year nor zone, so it is good
/// for differences only.
final class GlogStamp {
  private static final Pattern STAMP =
      Pattern.compile("\\[[IWEF](\\d{2})(\\d{2}) (\\d{2}):(\\d{2}):(\\d{2})\\.(\\d{3,9}) ");

  private static final int SEARCHED = 64;

  /// A leap year, so that a 29th of February is valid.
  private static final int ANY_YEAR = 2000;

  private GlogStamp() {}

  /// Nanoseconds since the epoch as if in UTC and in [#ANY_YEAR], NO_TIME if the line has no such
  /// stamp.
  static long of(String line) {
    var stamp = STAMP.matcher(line.substring(0, Math.min(SEARCHED, line.length())));
    if (!stamp.find()) {
      return NO_TIME;
    }
    try {
      var time =
          LocalDateTime.of(
              ANY_YEAR,
              number(stamp, 1),
              number(stamp, 2),
              number(stamp, 3),
              number(stamp, 4),
              number(stamp, 5));
      return Nanos.of(time.toInstant(ZoneOffset.UTC))
          + Nanos.ofSeconds(Double.parseDouble("0." + stamp.group(6)));
    } catch (DateTimeException e) {
      return NO_TIME;
    }
  }

  private static int number(Matcher stamp, int group) {
    return Integer.parseInt(stamp.group(group));
  }
}
