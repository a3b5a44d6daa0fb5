package io.ringside.benchmarks.agent;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.topic.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/// What arrives on the topic of logs from now on. Looks only at each chunk's offsets, so that
/// watching costs little. Not thread-safe.
final class Arrivals implements AutoCloseable {
  private static final String NEXT = "\"nextOffset\":";
  private static final int HEAD = 1024;

  private final KafkaConsumer<String, byte[]> consumer;
  private final List<TopicPartition> partitions =
      IntStream.range(0, 4).mapToObj(i -> new TopicPartition(Topics.LOGS.name(), i)).toList();

  Arrivals(String broker) {
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", broker,
                "fetch.max.wait.ms", "5",
                "max.partition.fetch.bytes", "8388608"),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
  }

  /// Waits until a file has arrived up to an offset.
  ///
  /// @throws IllegalStateException if nothing came for a minute
  void await(Path file, long offset) {
    String name = "\"file\":\"" + file + "\"";
    long heard = System.nanoTime();
    while (true) {
      for (var record : consumer.poll(Duration.ofMillis(20))) {
        heard = System.nanoTime();
        byte[] json = record.value();
        String head = new String(json, 0, Math.min(HEAD, json.length), StandardCharsets.ISO_8859_1);
        if (head.contains(name) && next(head) >= offset) {
          return;
        }
      }
      if (System.nanoTime() - heard > Duration.ofMinutes(1).toNanos()) {
        throw new IllegalStateException("nothing came for a minute, waiting for " + file);
      }
    }
  }

  private static long next(String head) {
    int from = head.indexOf(NEXT) + NEXT.length();
    return Long.parseLong(head.substring(from, head.indexOf(',', from)));
  }

  /// Reads everything of this file again and compares it with the file, line by line.
  ///
  /// @return what differs, empty if nothing does
  String compare(Path file, long bytes) throws IOException {
    consumer.seekToBeginning(partitions);
    long lines = 0;
    try (var expected = Files.newBufferedReader(file)) {
      while (true) {
        for (var record : consumer.poll(Duration.ofSeconds(10))) {
          LogChunk chunk =
              Topics.LOGS.valueSerde().deserializer().deserialize(record.topic(), record.value());
          if (!chunk.source().file().equals(file.toString())) {
            continue;
          }
          String[] text = chunk.text().toString().split("\n", -1);
          for (int i = 0; i < chunk.lines(); i++) {
            lines++;
            if (!text[i].equals(expected.readLine())) {
              return "line %d differs: %s".formatted(lines, text[i]);
            }
          }
          if (chunk.nextOffset() >= bytes) {
            return expected.readLine() == null ? "" : "lines are missing at the end";
          }
        }
      }
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
