package io.ringside.streams.job.step;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import java.time.Duration;

/// When the lines of one file were written, by the logger's own timestamps and the carrier's clock.
/// A program that writes into a pipe fills a buffer first. Its carrier then sees many lines at
/// once, and its stamps do not show the time between them.
final class LoggerClock {
  /// No buffer takes this long to fill. A larger change comes from a clock that was set, or summer
  /// time.
  private static final long SET_NANOS = Duration.ofMinutes(30).toNanos();

  /// From the logger's clock to the carrier's, by the line that waited least in the buffer.
  private long offsetNanos = NO_TIME;

  LoggerClock() {}

  /// Time of a line on the carrier's clock, as far as that is known.
  ///
  /// @param carrierNanos NO_TIME if the carrier gives no time
  long of(long carrierNanos, String line) {
    if (carrierNanos == NO_TIME) {
      return LineStamp.of(line);
    }
    long own = LineStamp.fine(line);
    if (own == NO_TIME) {
      return carrierNanos;
    }
    long offset = carrierNanos - own;
    if (offsetNanos == NO_TIME || offset < offsetNanos || offset > offsetNanos + SET_NANOS) {
      offsetNanos = offset;
    }
    return own + offsetNanos;
  }
}
