package io.ringside.benchmarks.service;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// The least that reading a topic costs: `BOOTSTRAP TOPIC GROUP`.
final class ConsumeLoop {
  private ConsumeLoop() {}

  public static void main(String[] args) {
    try (var consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                args[0],
                ConsumerConfig.GROUP_ID_CONFIG,
                args[2],
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.AUTO_COMMIT_INTERVAL_MS_CONFIG,
                100,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                1_000),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(args[1]));
      long bytes = 0;
      while (bytes >= 0) {
        for (var record : consumer.poll(Duration.ofMillis(100))) {
          bytes += record.value().length;
        }
      }
    }
  }
}
