package io.ringside.shipper.source.log.follow;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// What happened to files. Thread-safe.
public final class TailCounts {
  /// Bytes consumed, uncompressed; those read twice count twice.
  public final LongAdder bytes = new LongAdder();

  /// Chunks handed on.
  public final LongAdder chunks = new LongAdder();

  /// Files replaced at their path while they were tailed.
  public final LongAdder rotations = new LongAdder();

  /// Files that shrank or began anew in place.
  public final LongAdder truncations = new LongAdder();

  /// Bytes known to have been in a file that was gone before they were read.
  public final LongAdder bytesLeftBehind = new LongAdder();

  /// Files that could not be opened or read, each try.
  public final LongAdder readFailures = new LongAdder();

  /// Times a file was read again because a chunk was refused.
  public final LongAdder rewinds = new LongAdder();

  /// Checkpoints that could not be written.
  public final LongAdder checkpointFailures = new LongAdder();

  /// Files followed now.
  public final AtomicInteger files = new AtomicInteger();

  /// Bytes in these files that are not yet safe with the broker.
  public final AtomicLong lagBytes = new AtomicLong();

  /// For how long the file that lags most has lagged, in milliseconds.
  public final AtomicLong lagMillis = new AtomicLong();
}
