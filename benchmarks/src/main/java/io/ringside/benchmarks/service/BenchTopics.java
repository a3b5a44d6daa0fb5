package io.ringside.benchmarks.service;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/// The same lines on two topics, as chunks and one record a line, and how many lines lie before an
/// offset.
final class BenchTopics implements AutoCloseable {
  static final String LINES = "bench.lines";
  static final int PARTITIONS = 4;

  private final KafkaProducer<String, byte[]> producer;
  private final Admin admin;
  private final String bootstrap;
  private final Map<Integer, List<Long>> linesBefore = new HashMap<>();
  private long lines;

  BenchTopics(String bootstrap) {
    this.bootstrap = bootstrap;
    admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
    producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                "lz4",
                ProducerConfig.BATCH_SIZE_CONFIG,
                256 << 10,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                4 << 20,
                // a topic just created may refuse the first batch and take the second, which then
                // bars the first for ever
                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                1,
                ProducerConfig.LINGER_MS_CONFIG,
                20),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  /// Creates all topics; nothing is deleted by age, for event times may be of another day.
  void create() throws ExecutionException, InterruptedException {
    var wanted = new ArrayList<NewTopic>();
    Topics.ALL.forEach(topic -> wanted.add(topic.toNewTopic(PARTITIONS, (short) 1)));
    for (var name : List.of(LINES, LINES + ".counts")) {
      wanted.add(new NewTopic(name, PARTITIONS, (short) 1).configs(Map.of()));
    }
    for (var topic : wanted) {
      var settings = new HashMap<>(topic.configs());
      settings.put("retention.ms", "-1");
      topic.configs(settings);
    }
    admin.createTopics(wanted).all().get();
  }

  String bootstrap() {
    return bootstrap;
  }

  Admin admin() {
    return admin;
  }

  /// Sends a chunk and, if wanted, its lines.
  void send(LogChunk chunk, boolean alsoSingly) {
    var node = chunk.node();
    int partition = Math.floorMod(node.hashCode(), PARTITIONS);
    var before = linesBefore.computeIfAbsent(partition, _ -> new ArrayList<>());
    before.add((before.isEmpty() ? 0 : before.getLast()) + chunk.lines());
    lines += chunk.lines();
    var bytes = Topics.LOGS.valueSerde().serializer().serialize(Topics.LOGS.name(), chunk);
    var _ = producer.send(new ProducerRecord<>(Topics.LOGS.name(), partition, node, bytes));
    if (alsoSingly) {
      var split = chunk.text().toString().split("\n", -1);
      for (int i = 0; i < split.length; i++) {
        var _ =
            producer.send(
                new ProducerRecord<>(
                    LINES,
                    partition,
                    chunk.timeNanos(i) / 1_000_000,
                    node,
                    split[i].getBytes(java.nio.charset.StandardCharsets.UTF_8)));
      }
    }
  }

  void flush() {
    producer.flush();
  }

  long lines() {
    return lines;
  }

  /// How many lines lie before what the group has committed.
  long committed(String group, String topic) throws ExecutionException, InterruptedException {
    var offsets = admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    long sum = 0;
    for (var entry : offsets.entrySet()) {
      sum += linesBefore(entry.getKey(), entry.getValue(), topic);
    }
    return sum;
  }

  private long linesBefore(
      TopicPartition partition, @Nullable OffsetAndMetadata offset, String topic) {
    if (offset == null || !partition.topic().equals(topic) || offset.offset() == 0) {
      return 0;
    }
    return topic.equals(LINES)
        ? offset.offset()
        : linesBefore.getOrDefault(partition.partition(), List.of()).get((int) offset.offset() - 1);
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}
