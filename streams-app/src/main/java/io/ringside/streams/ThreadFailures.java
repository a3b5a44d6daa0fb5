package io.ringside.streams;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Replaces a stream thread that died, up to three times in ten minutes. If threads die more often,
/// a replacement does not help: the client stops, and the operator of the process decides.
/// Thread-safe.
final class ThreadFailures implements StreamsUncaughtExceptionHandler {
  static final int TOLERATED = 3;
  static final Duration WINDOW = Duration.ofMinutes(10);

  private static final Logger LOGGER = LoggerFactory.getLogger(ThreadFailures.class);

  private final InstantSource clock;
  private final Deque<Instant> recent = new ArrayDeque<>();
  private long total;

  ThreadFailures(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public StreamThreadExceptionResponse handle(Throwable failure) {
    // out of memory, no state can be trusted; a single record that does not fit: RecordSizeGuard
    boolean tolerated = note(clock.instant()) && !(failure instanceof OutOfMemoryError);
    LOGGER
        .atError()
        .setCause(failure)
        .addKeyValue("tolerated", tolerated)
        .log(tolerated ? "stream thread failed, replacing it" : "stream threads keep failing");
    return tolerated
        ? StreamThreadExceptionResponse.REPLACE_THREAD
        : StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /// Number of threads that have failed since the start.
  synchronized long total() {
    return total;
  }

  private synchronized boolean note(Instant now) {
    total++;
    while (!recent.isEmpty() && recent.peekFirst().plus(WINDOW).isBefore(now)) {
      recent.removeFirst();
    }
    recent.addLast(now);
    return recent.size() <= TOLERATED;
  }
}
