package io.ringside.streams;

import java.time.InstantSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.LogAndSkipOnInvalidTimestamp;

/// Takes a record's own time, but never a time later than now. Records derived from it carry its
/// time, and brokers refuse records from the future (`message.timestamp.after.max.ms`, an hour by
/// default): one such record would end thread after thread. A record without a time is skipped.
public final class CappedTimestampExtractor extends LogAndSkipOnInvalidTimestamp {
  private final InstantSource clock;

  /// Used by Kafka Streams, which creates the extractor itself.
  public CappedTimestampExtractor() {
    this(InstantSource.system());
  }

  CappedTimestampExtractor(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    return Math.min(super.extract(record, partitionTime), clock.millis());
  }
}
