package io.ringside.shipper.publish;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Holds the producer, and replaces it after an error from which it does not recover: a lost
/// sequence, a refused identity or certificate. The new producer reads keys and passwords from
/// their files again. Records in flight in the old one fail, and their senders send them again.
/// Thread-safe.
public final class ProducerSlot {
  private static final Logger LOGGER = LoggerFactory.getLogger(ProducerSlot.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  private static final Duration HEALTHY = Duration.ofMinutes(10);
  private static final Duration LAST_PAUSE = Duration.ofMinutes(1);

  private final @Nullable Supplier<Producer<String, byte[]>> factory;
  private final LongSupplier ticker;
  private final LongAdder renewals = new LongAdder();
  private final AtomicBoolean renewing = new AtomicBoolean();
  private volatile Producer<String, byte[]> producer;
  private Duration pause = Duration.ZERO;
  private long renewedAt;
  private boolean closed;

  private ProducerSlot(
      @Nullable Supplier<Producer<String, byte[]>> factory,
      Producer<String, byte[]> first,
      LongSupplier ticker) {
    this.factory = factory;
    this.producer = first;
    this.ticker = ticker;
  }

  /// Makes the first producer now, and a new one when needed.
  public static ProducerSlot renewing(
      Supplier<Producer<String, byte[]>> factory, LongSupplier ticker) {
    return new ProducerSlot(factory, factory.get(), ticker);
  }

  /// Keeps the given producer forever; the caller owns it.
  public static ProducerSlot fixed(Producer<String, byte[]> producer) {
    return new ProducerSlot(null, producer, () -> 0);
  }

  /// Like {@link Producer#send(ProducerRecord, Callback)}, but never throws: each failure goes to
  /// the callback.
  void send(ProducerRecord<String, byte[]> record, Callback callback) {
    Producer<String, byte[]> used = producer;
    try {
      var _ =
          used.send(
              record,
              (metadata, failure) -> {
                if (failure != null) {
                  failed(used, failure);
                }
                callback.onCompletion(metadata, failure);
              });
    } catch (KafkaException | IllegalStateException e) {
      failed(used, e);
      callback.onCompletion(null, e);
    }
  }

  /// Waits until the broker has answered everything sent before.
  public void flush() {
    producer.flush();
  }

  /// The current producer's metrics.
  public Map<MetricName, ? extends Metric> metrics() {
    return producer.metrics();
  }

  /// Number of producers made after the first.
  public LongAdder renewals() {
    return renewals;
  }

  /// Closes the producer if this slot made it; no new one is made afterwards.
  public synchronized void close(Duration patience) {
    closed = true;
    if (factory != null) {
      producer.close(patience);
    }
  }

  private void failed(Producer<String, byte[]> failing, Exception failure) {
    // one renewal at a time: a failing producer fails all of its records in flight
    if (factory != null && isFatal(failure) && renewing.compareAndSet(false, true)) {
      // not on the producer's own thread, which runs this callback
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  renew(factory, failing, failure);
                } finally {
                  renewing.set(false);
                }
              });
    }
  }

  private synchronized void renew(
      Supplier<Producer<String, byte[]>> maker,
      Producer<String, byte[]> failing,
      Exception failure) {
    long since = ticker.getAsLong() - renewedAt;
    if (closed || !producer.equals(failing) || since < pause.toNanos()) {
      return;
    }
    if (since > HEALTHY.toNanos()) {
      pause = Duration.ZERO;
    }
    LOGGER
        .atError()
        .addKeyValue("reason", failure.toString())
        .log("the producer does not recover from this, making a new one");
    try {
      producer = maker.get();
      renewals.increment();
    } catch (KafkaException e) {
      LOGGER.atError().addKeyValue("reason", e.toString()).log("no new producer can be made yet");
    }
    pause = pause.isZero() ? FIRST_PAUSE : min(pause.multipliedBy(2), LAST_PAUSE);
    renewedAt = ticker.getAsLong();
    if (!producer.equals(failing)) {
      failing.close(Duration.ZERO);
    }
  }

  /// Whether the same producer will refuse the next record as well. Errors of a single record or
  /// topic and retriable errors are not fatal. Neither is an invalid timestamp: a new producer does
  /// not fix a clock that is too far ahead for the broker.
  static boolean isFatal(Exception failure) {
    return !(failure instanceof RetriableException
        || failure instanceof RecordTooLargeException
        || failure instanceof InvalidTimestampException
        || failure instanceof TopicAuthorizationException
        || failure instanceof InvalidTopicException
        || failure instanceof SerializationException);
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
