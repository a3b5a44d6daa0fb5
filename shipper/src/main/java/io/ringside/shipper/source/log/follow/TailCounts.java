package io.ringside.shipper.source.log.follow;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Counters of log files. Thread-safe.
public final class TailCounts {
  /// Bytes consumed, uncompressed; bytes read twice count twice.
  public final LongAdder bytes = new LongAdder();

  /// Chunks handed on.
  public final LongAdder chunks = new LongAdder();

  /// Files replaced at their path while they were tailed.
  public final LongAdder rotations = new LongAdder();

  /// Files that shrank or were rewritten in place.
  public final LongAdder truncations = new LongAdder();

  /// Bytes known to have been in files that were gone before they were read.
  public final LongAdder bytesLeftBehind = new LongAdder();

  /// Failed attempts to open or read a file.
  public final LongAdder readFailures = new LongAdder();

  /// Number of times that a file was read again because a chunk was refused.
  public final LongAdder rewinds = new LongAdder();

  /// Checkpoints that could not be written.
  public final LongAdder checkpointFailures = new LongAdder();

  /// Files followed now.
  public final AtomicInteger files = new AtomicInteger();

  /// Bytes in these files that are not yet safe with the broker.
  public final AtomicLong lagBytes = new AtomicLong();

  /// How long the file that has lagged longest has lagged, in milliseconds.
  public final AtomicLong lagMillis = new AtomicLong();
}
