package io.ringside.streams.parse.event;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/// The stamp of a torch line: `E1120 20:30:39.754865337`. It has no year and no zone.
///
/// @param severity `I`, `W`, `E`, `F`, `V` or `C`
/// @param month 1 to 12
/// @param day 1 to 31
/// @param secondOfDay local time of day in whole seconds
/// @param fractionNanos the digits after the second, as nanoseconds
/// @param wallClock false for lines of C++: their fraction is CLOCK_MONOTONIC's (c10 Logging.cpp), good
///     for order and differences within one host and second only
public record GlogStamp(
    char severity, int month, int day, int secondOfDay, int fractionNanos, boolean wallClock) {

  /// The stamp as an instant nearest to another time of the same line, local time read as UTC; whole
  /// seconds only unless the fraction is of the wall clock.
  public Instant near(Instant arrival) {
    var year = arrival.atZone(ZoneOffset.UTC).getYear();
    var best = at(year);
    for (var other = year - 1; other <= year + 1; other += 2) {
      var candidate = at(other);
      if (distance(candidate, arrival) < distance(best, arrival)) {
        best = candidate;
      }
    }
    return best;
  }

  private Instant at(int year) {
    var first = LocalDate.of(year, month, 1);
    var date = first.withDayOfMonth(Math.min(day, first.lengthOfMonth()));
    return date.atStartOfDay(ZoneOffset.UTC)
        .toInstant()
        .plusSeconds(secondOfDay)
        .plusNanos(wallClock ? fractionNanos : 0);
  }

  private static long distance(Instant a, Instant b) {
    return Math.abs(a.getEpochSecond() - b.getEpochSecond());
  }
}
