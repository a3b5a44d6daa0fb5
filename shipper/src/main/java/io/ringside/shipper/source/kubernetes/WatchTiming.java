package io.ringside.shipper.source.kubernetes;

import java.time.Duration;

/// Intervals and pauses of a watch.
///
/// @param length of one watch, after which the server ends it
/// @param first pause after a watch; doubles with each failure up to `longest`
/// @param past greatest age of an end found at the start
/// @param late grace time after `length` until the connection is closed
public record WatchTiming(
    Duration length, Duration first, Duration longest, Duration past, Duration late) {
  public static final WatchTiming USUAL =
      new WatchTiming(
          Duration.ofMinutes(5),
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofSeconds(30));
}
