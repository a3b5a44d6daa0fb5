package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import tools.jackson.databind.JsonNode;

/// Reads times of log stores: dates, and numbers of seconds, milliseconds, microseconds or
/// nanoseconds, distinguished by their size. A date without a zone is UTC, as CloudWatch Insights
/// writes it.
final class Times {
  /// Numbers below 1e11 are seconds: those reach 1e11 only in the year 5138, and milliseconds
  /// passed it in 1973.
  private static final BigDecimal SECONDS = BigDecimal.valueOf(100_000_000_000L);

  private static final BigDecimal YEAR_2001 = BigDecimal.valueOf(1_000_000_000L);
  private static final int LONGEST = 40;
  private static final int DATE = "2026-04-05".length();

  private Times() {}

  /// Epoch nanoseconds, or [io.ringside.schemas.event.LogChunk#NO_TIME].
  static long nanos(JsonNode value) {
    if (value.isNumber()) {
      return number(value.decimalValue());
    }
    return value.isString() ? nanos(value.stringValue()) : NO_TIME;
  }

  static long nanos(String text) {
    if (text.isEmpty() || text.length() > LONGEST) {
      return NO_TIME;
    }
    try {
      if (text.chars().allMatch(c -> c >= '0' && c <= '9' || c == '.')) {
        return number(new BigDecimal(text));
      }
      var iso = text.replace(' ', 'T').replace(',', '.');
      return Nanos.of(
          iso.indexOf('+') > 0 || iso.lastIndexOf('-') > DATE || iso.endsWith("Z")
              ? OffsetDateTime.parse(iso).toInstant()
              : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC));
    } catch (NumberFormatException | DateTimeException e) {
      return NO_TIME;
    }
  }

  private static long number(BigDecimal number) {
    if (number.compareTo(YEAR_2001) < 0) {
      return NO_TIME;
    }
    var power = 9;
    for (var limit = SECONDS; number.compareTo(limit) >= 0; limit = limit.movePointRight(3)) {
      power -= 3;
    }
    return power < 0 ? NO_TIME : number.movePointRight(power).longValue();
  }
}
