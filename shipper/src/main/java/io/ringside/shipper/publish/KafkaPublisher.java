package io.ringside.shipper.publish;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.DeadLetter;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends records keyed by their node, so that all records of a node lie on one partition in the
/// order of sending. For a record larger than the broker takes, a dead letter with its head and
/// hash is sent instead. Thread-safe; the caller owns the producer.
public final class KafkaPublisher {
  private static final Logger LOGGER = LoggerFactory.getLogger(KafkaPublisher.class);
  private static final int HEAD = 1024;

  private final ProducerSlot producer;
  private final PublishCounts counts;
  private final InstantSource clock;
  private final AtomicReference<@Nullable Exception> firstFailure = new AtomicReference<>();
  private final AtomicBoolean failing = new AtomicBoolean();

  public KafkaPublisher(ProducerSlot producer, PublishCounts counts, InstantSource clock) {
    this.producer = producer;
    this.counts = counts;
    this.clock = clock;
  }

  public KafkaPublisher(Producer<String, byte[]> producer) {
    this(ProducerSlot.fixed(producer), new PublishCounts(), InstantSource.system());
  }

  /// Sends an event; blocks while the producer's buffer is full. The future completes on the
  /// producer's thread with the broker's answer.
  public CompletableFuture<Void> send(AgentEvent event) {
    return switch (event) {
      case LogChunk chunk -> send(Topics.LOGS, chunk);
      case GpuSample sample -> send(Topics.GPU, sample);
      case NodeTopology topology -> send(Topics.TOPOLOGY, topology);
      case NodeReport report -> send(Topics.NODE, report);
    };
  }

  /// Waits until the broker has answered everything sent before.
  ///
  /// @throws KafkaException if a record sent since the last flush was not acknowledged
  public void flush() {
    producer.flush();
    Exception failure = firstFailure.getAndSet(null);
    if (failure != null) {
      throw new KafkaException("a record was not acknowledged: " + failure.getMessage(), failure);
    }
  }

  public PublishCounts counts() {
    return counts;
  }

  private <T extends AgentEvent> CompletableFuture<Void> send(Topic<T> topic, T event) {
    var bytes = topic.valueSerde().serializer().serialize(topic.name(), event);
    return send(topic.name(), event.node(), bytes, true);
  }

  private CompletableFuture<Void> send(
      String topic, String key, byte[] bytes, boolean orDeadLetter) {
    var answer = new CompletableFuture<Void>();
    counts.sent.increment();
    producer.send(
        new ProducerRecord<>(topic, key, bytes),
        (_, failure) -> {
          if (failure == null) {
            acked(bytes.length);
            answer.complete(null);
          } else if (failure instanceof RecordTooLargeException && orDeadLetter) {
            deadLetter(topic, key, bytes, failure, answer);
          } else {
            refused(topic, failure);
            answer.completeExceptionally(failure);
          }
        });
    return answer;
  }

  private void acked(int bytes) {
    counts.acked.increment();
    counts.bytes.add(bytes);
    if (failing.get() && failing.compareAndSet(true, false)) {
      LOGGER.atInfo().log("the broker takes records again");
    }
  }

  private void refused(String topic, Exception failure) {
    counts.failed.increment();
    firstFailure.compareAndSet(null, failure);
    if (failing.compareAndSet(false, true)) {
      LOGGER
          .atWarn()
          .addKeyValue("topic", topic)
          .addKeyValue("reason", failure.toString())
          .log(
              failure instanceof InvalidTimestampException
                  ? "this node's clock is too far ahead for the broker, records are sent again until it is set"
                  : "the broker refused a record, it will be sent again");
    }
  }

  /// The record is given up even if its dead letter fails, since it must not hold up later records.
  private void deadLetter(
      String topic, String key, byte[] bytes, Exception failure, CompletableFuture<Void> answer) {
    counts.deadLetters.increment();
    LOGGER
        .atError()
        .addKeyValue("topic", topic)
        .addKeyValue("bytes", bytes.length)
        .addKeyValue("reason", failure.getMessage())
        .log("record is too large for the broker, sending a dead letter instead");
    var letter =
        new DeadLetter(
            key,
            clock.instant(),
            "publish",
            "record of %d bytes is too large: %s".formatted(bytes.length, failure.getMessage()),
            topic,
            new String(bytes, 0, Math.min(HEAD, bytes.length), StandardCharsets.UTF_8),
            sha256(bytes),
            bytes.length);
    byte[] letterBytes =
        Topics.DEAD_LETTER.valueSerde().serializer().serialize(Topics.DEAD_LETTER.name(), letter);
    // not on the producer's own thread, since a send may wait for that thread
    Thread.ofVirtual()
        .start(
            () -> {
              var _ =
                  send(Topics.DEAD_LETTER.name(), key, letterBytes, false)
                      .whenComplete((_, _) -> answer.complete(null));
            });
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
