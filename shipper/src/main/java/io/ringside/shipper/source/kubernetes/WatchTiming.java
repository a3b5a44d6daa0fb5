package io.ringside.shipper.source.kubernetes;

import java.time.Duration;

/// How a watch waits.
///
/// @param length of one watch, after which the server ends it
/// @param first rest, which doubles with each try that fails
/// @param past how old an end may be that is found at the start
/// @param late by so much the server may be
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
