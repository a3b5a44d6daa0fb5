package io.ringside.standalone.demo;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;

/// Reads `ringside.findings.v1` from its beginning on a thread of its own, as any other consumer of
/// findings would. Gives every version of every finding, on that thread, until it is closed.
final class FindingFeed implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConsumer<String, Finding> consumer;
  private final Thread thread;

  FindingFeed(String bootstrapServers, Consumer<Finding> sink) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    this.consumer =
        new KafkaConsumer<>(
            settings, new StringDeserializer(), Topics.FINDINGS.valueSerde().deserializer());
    this.thread = Thread.ofPlatform().name("finding-feed").daemon().start(() -> read(sink));
  }

  private void read(Consumer<Finding> sink) {
    try (consumer) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(Topics.FINDINGS.name()).stream()
              .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (true) {
        consumer
            .poll(POLL)
            .forEach(
                message -> {
                  if (message.value() != null) {
                    sink.accept(message.value());
                  }
                });
      }
    } catch (WakeupException e) {
      // closed
    }
  }

  @Override
  public void close() {
    consumer.wakeup();
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
