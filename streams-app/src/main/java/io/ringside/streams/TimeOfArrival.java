package io.ringside.streams;

import java.time.InstantSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.LogAndSkipOnInvalidTimestamp;

/// The time of a record that was read: its own, but none after now. What follows from a record
/// bears its time, and brokers refuse what comes from the future (`message.timestamp.after.max.ms`,
/// an hour by default): one such record would end thread after thread. A record without a time is
/// left out.
public final class TimeOfArrival extends LogAndSkipOnInvalidTimestamp {
  private final InstantSource clock;

  /// As Kafka Streams makes it.
  public TimeOfArrival() {
    this(InstantSource.system());
  }

  TimeOfArrival(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    return Math.min(super.extract(record, partitionTime), clock.millis());
  }
}
