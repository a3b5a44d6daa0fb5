package io.ringside.deploy.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.topic.Topics;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// Sends one record of zeros from a process of its own, whose heap holds it: packed it is smaller
/// than any chunk.
final class Bomb {
  private Bomb() {}

  static void send(String bootstrapServers, int bytes) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    int exit =
        new ProcessBuilder(
                java,
                "-Xmx3500m",
                "-cp",
                System.getProperty("java.class.path"),
                Bomb.class.getName(),
                bootstrapServers,
                Integer.toString(bytes))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    assertThat(exit).isZero();
  }

  /// @param arguments the broker's address and how many bytes
  public static void main(String[] arguments) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                arguments[0],
                "compression.type",
                "zstd",
                "max.request.size",
                Integer.MAX_VALUE,
                "buffer.memory",
                2L << 30,
                "delivery.timeout.ms",
                120_000),
            new StringSerializer(),
            new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  Topics.LOGS.name(), "node-1", new byte[Integer.parseInt(arguments[1])]))
          .get();
    }
  }
}
