package io.ringside.lab.fleet;

import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.publish.ProducerSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Hostile jobs that go on beside all others until it is closed, and records that are none.
final class Poison implements AutoCloseable {
  /// In the name of every such job.
  static final String NAME = "poison-";

  private static final List<Topic<?>> TOPICS = List.of(Topics.LOGS, Topics.NODE);
  private static final List<String> NO_RECORDS =
      List.of("\u0000\u0001 no json", "{\"source\": 7, \"lines\": \"?\"}", "{", "");

  private final Producer<String, byte[]> producer;
  private final KafkaPublisher publisher;
  private final List<HostileJob> jobs;
  private final Duration every;
  private final InstantSource clock;
  private final Thread thread;
  private volatile boolean closing;

  /// @param names of the jobs, so many that each partition has one
  /// @param every after how long the next of them sends its next chunk
  /// @param clock by which they write their lines
  Poison(
      String bootstrapServers, long seed, List<String> names, Duration every, InstantSource clock) {
    this.every = every;
    this.clock = clock;
    producer =
        ProducerSettings.producer(
            ProducerSettings.of(bootstrapServers, Map.of("max.block.ms", "120000")));
    publisher = new KafkaPublisher(producer);
    this.jobs =
        IntStream.range(0, names.size())
            .mapToObj(number -> new HostileJob(seed + number, names.get(number)))
            .toList();
    thread = Thread.ofPlatform().name("poison").daemon().start(this::send);
  }

  /// Ordinary names.
  static List<String> names(int jobs) {
    return IntStream.range(0, jobs).mapToObj(number -> NAME + number).toList();
  }

  private void send() {
    try {
      for (int i = 0; !closing; i++) {
        var job = jobs.get(i % jobs.size());
        publisher.send(job.chunk(clock.instant()));
        if (i % 10 == 0) {
          publisher.send(job.sample(clock.instant()));
          noRecord(i);
        }
        TimeUnit.NANOSECONDS.sleep(every.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void noRecord(int number) {
    var bytes = NO_RECORDS.get(number / 10 % NO_RECORDS.size()).getBytes(StandardCharsets.UTF_8);
    for (var topic : TOPICS) {
      var _ = producer.send(new ProducerRecord<>(topic.name(), "node-x", bytes));
    }
  }

  /// Where the broker has those that are none: the topic, the partition and the offset of each,
  /// sorted. A producer whose broker ends may be told less of that than the broker has.
  static List<String> noRecords(String bootstrapServers) {
    return TOPICS.stream()
        .flatMap(topic -> Committed.records(bootstrapServers, topic.name()).stream())
        .filter(record -> NO_RECORDS.contains(new String(record.value(), StandardCharsets.UTF_8)))
        .map(record -> record.topic() + " " + record.partition() + " " + record.offset())
        .sorted()
        .toList();
  }

  /// Where the records of the dead letters came from, likewise.
  static List<String> deadLetters(String bootstrapServers) {
    return Committed.records(bootstrapServers, Topics.DEAD_LETTER.name()).stream()
        .map(
            letter ->
                Stream.of("topic", "partition", "offset")
                    .map(name -> letter.headers().lastHeader("__streams.errors." + name).value())
                    .map(value -> new String(value, StandardCharsets.UTF_8))
                    .collect(Collectors.joining(" ")))
        .sorted()
        .toList();
  }

  @Override
  public void close() {
    closing = true;
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    producer.close();
  }
}
