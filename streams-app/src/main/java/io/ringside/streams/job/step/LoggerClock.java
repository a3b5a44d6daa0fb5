package io.ringside.streams.job.step;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import java.time.Duration;

/// When the lines of one file were written, by the logger's own stamps and the carrier's clock. A
/// program that writes into a pipe fills a buffer first: its carrier sees many lines at once, and
/// tells nothing of the time between them.
final class LoggerClock {
  /// No buffer is filled for so long; a clock that was set, or summer time, is.
  private static final long SET_NANOS = Duration.ofMinutes(30).toNanos();

  /// From the logger's clock to the carrier's, by the line that waited the least.
  private long offsetNanos = NO_TIME;

  LoggerClock() {}

  /// On the carrier's clock, as far as that is known.
  ///
  /// @param carrierNanos NO_TIME if the carrier does not say
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
