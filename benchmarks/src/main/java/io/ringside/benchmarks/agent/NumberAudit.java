package io.ringside.benchmarks.agent;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.topic.Topics;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/// Which of the numbers behind `#` have arrived, and which more than once. Not thread-safe.
final class NumberAudit implements AutoCloseable {
  private final KafkaConsumer<String, byte[]> consumer;
  private final BitSet seen = new BitSet();
  private long repeated;

  NumberAudit(String broker) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        IntStream.range(0, 4).mapToObj(i -> new TopicPartition(Topics.LOGS.name(), i)).toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /// Takes what is there now.
  void poll() {
    for (var record : consumer.poll(Duration.ZERO)) {
      LogChunk chunk =
          Topics.LOGS.valueSerde().deserializer().deserialize(record.topic(), record.value());
      String text = chunk.text().toString();
      for (int at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at + 1)) {
        int number = Integer.parseInt(text, at + 1, text.indexOf(' ', at), 10);
        if (seen.get(number)) {
          repeated++;
        }
        seen.set(number);
      }
    }
  }

  void readUntil(int distinct, Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (distinct() < distinct && System.nanoTime() < end) {
      poll();
      Thread.sleep(20);
    }
  }

  int distinct() {
    return seen.cardinality();
  }

  long repeated() {
    return repeated;
  }

  /// Holes below the highest number seen.
  int missingBelowHighest() {
    return seen.length() - seen.cardinality();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
