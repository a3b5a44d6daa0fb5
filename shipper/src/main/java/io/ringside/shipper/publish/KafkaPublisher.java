package io.ringside.shipper.publish;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/// Sends records with their node as key, so that everything of a node lies on one partition in the
/// order it was sent. Thread-safe; the caller owns the producer.
public final class KafkaPublisher {
  private final Producer<String, byte[]> producer;
  private final PublishCounts counts;
  private final AtomicReference<@Nullable Exception> firstFailure = new AtomicReference<>();

  public KafkaPublisher(Producer<String, byte[]> producer, PublishCounts counts) {
    this.producer = producer;
    this.counts = counts;
  }

  public KafkaPublisher(Producer<String, byte[]> producer) {
    this(producer, new PublishCounts());
  }

  /// Blocks while the producer's buffer is full. The future ends with the broker's answer, on the
  /// producer's thread.
  public CompletableFuture<Void> send(LogChunk chunk) {
    return send(Topics.LOGS, chunk.source().node(), chunk);
  }

  /// As {@link #send(LogChunk)}.
  public CompletableFuture<Void> send(GpuSample sample) {
    return send(Topics.GPU, sample.node(), sample);
  }

  /// As {@link #send(LogChunk)}.
  public CompletableFuture<Void> send(NodeTopology topology) {
    return send(Topics.TOPOLOGY, topology.node(), topology);
  }

  /// Waits until everything sent before was acknowledged.
  ///
  /// @throws KafkaException if something sent since the last flush was not
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

  private <T> CompletableFuture<Void> send(Topic<T> topic, String key, T value) {
    byte[] bytes = topic.valueSerde().serializer().serialize(topic.name(), value);
    var answer = new CompletableFuture<Void>();
    counts.sent.increment();
    producer.send(
        new ProducerRecord<>(topic.name(), key, bytes),
        (metadata, failure) -> {
          if (failure == null) {
            counts.acked.increment();
            counts.bytes.add(bytes.length);
            answer.complete(null);
          } else {
            counts.failed.increment();
            firstFailure.compareAndSet(null, failure);
            answer.completeExceptionally(failure);
          }
        });
    return answer;
  }
}
