package io.ringside.benchmarks.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/// What the agent is compared with: the shortest program that sends a file's lines to Kafka, a
/// record a line, tuned as the agent's producer is. Remembers nothing, bounds nothing, masks
/// nothing.
final class BareClient {
  private BareClient() {}

  /// Sends the file, prints the seconds of processor time it took, and ends.
  public static void main(String[] arguments) throws IOException {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            arguments[0],
            "acks",
            "all",
            "compression.type",
            "lz4",
            "linger.ms",
            20,
            "batch.size",
            262144,
            "buffer.memory",
            16777216L);
    try (var producer =
            new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        var lines = Files.newBufferedReader(Path.of(arguments[2]))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        var _ = producer.send(new ProducerRecord<>(arguments[1], line));
      }
      producer.flush();
      System.out.println(new ProcessUsage(ProcessHandle.current().pid()).cpuSeconds());
    }
  }
}
