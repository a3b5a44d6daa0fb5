package io.ringside.shipper.publish;

import java.util.concurrent.atomic.LongAdder;

/// Counts of records sent to the broker. Thread-safe.
public final class PublishCounts {
  /// Records handed to the producer.
  public final LongAdder sent = new LongAdder();

  /// Records the broker has.
  public final LongAdder acked = new LongAdder();

  /// Records the broker or the producer refused.
  public final LongAdder failed = new LongAdder();

  /// Bytes of acknowledged records, uncompressed.
  public final LongAdder bytes = new LongAdder();

  /// Records put on the dead-letter topic instead.
  public final LongAdder deadLetters = new LongAdder();
}
