package io.ringside.shipper.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.shipper.publish.ProducerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Agents wait with lines in hand while the service creates the topics: the partitions' first
/// seconds.
@Timeout(180)
class NewTopicIT {
  private static final int ROUNDS = 3;
  private static final int TOPICS = 20;
  private static final int RECORDS = 40;

  @TempDir private Path data;
  private TestBroker broker;
  private Producer<String, byte[]> producer;

  @BeforeEach
  void connect() throws Exception {
    broker = new TestBroker(data);
    // a request a record, so that several could be on their way at once
    producer =
        ProducerSettings.producer(
            ProducerSettings.of(broker.address(), Map.of("linger.ms", "0", "batch.size", "500")));
  }

  @AfterEach
  void disconnect() {
    producer.close(Duration.ZERO);
    broker.close();
  }

  @Test
  void takesEveryRecordThatWaitedForIt() throws Exception {
    var answers = new ConcurrentLinkedQueue<CompletableFuture<Void>>();
    try (var admin = Admin.create(Map.<String, Object>of("bootstrap.servers", broker.address()))) {
      for (int round = 0; round < ROUNDS; round++) {
        var names = names(round);
        var senders = new ArrayList<Thread>();
        for (var name : names) {
          senders.add(Thread.ofVirtual().start(() -> send(name, answers)));
        }
        admin
            .createTopics(names.stream().map(name -> new NewTopic(name, 8, (short) 1)).toList())
            .all()
            .get();
        for (var sender : senders) {
          sender.join();
        }
      }
    }

    assertThat(answers).hasSize(ROUNDS * TOPICS * RECORDS);
    assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
        .succeedsWithin(Duration.ofSeconds(30));
  }

  private static List<String> names(int round) {
    return IntStream.range(0, TOPICS).mapToObj(i -> "new-%d-%d".formatted(round, i)).toList();
  }

  private void send(String topic, ConcurrentLinkedQueue<CompletableFuture<Void>> answers) {
    for (int i = 0; i < RECORDS; i++) {
      var answer = new CompletableFuture<Void>();
      answers.add(answer);
      producer.send(
          new ProducerRecord<>(topic, "node", new byte[600]),
          (_, failure) -> {
            if (failure == null) {
              answer.complete(null);
            } else {
              answer.completeExceptionally(failure);
            }
          });
    }
  }
}
