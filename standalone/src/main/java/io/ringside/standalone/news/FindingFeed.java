package io.ringside.standalone.news;

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

/// Reads `ringside.findings.v1` from its beginning on a thread of its own, like any other consumer
/// of findings. Passes on every version of every finding, on that thread, until it is closed.
public final class FindingFeed implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConsumer<String, Finding> consumer;
  private final Thread thread;

  /// Receives the findings.
  public interface Listener {
    /// A version that was on the topic before the feed started.
    void before(Finding finding);

    /// All earlier versions have been passed on. Called once, before the first new version.
    void begins();

    /// A new version.
    void now(Finding finding);
  }

  /// Passes on all versions alike, old and new.
  public FindingFeed(String bootstrapServers, Consumer<Finding> sink) {
    this(
        bootstrapServers,
        new Listener() {
          @Override
          public void before(Finding finding) {
            sink.accept(finding);
          }

          @Override
          public void begins() {}

          @Override
          public void now(Finding finding) {
            sink.accept(finding);
          }
        });
  }

  /// Distinguishes earlier versions from new ones.
  public FindingFeed(String bootstrapServers, Listener listener) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    this.consumer =
        new KafkaConsumer<>(
            settings, new StringDeserializer(), Topics.FINDINGS.valueSerde().deserializer());
    this.thread = Thread.ofPlatform().name("finding-feed").daemon().start(() -> read(listener));
  }

  private void read(Listener listener) {
    try (consumer) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(Topics.FINDINGS.name()).stream()
              .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
              .toList();
      consumer.assign(partitions);
      var ends = consumer.endOffsets(partitions);
      consumer.seekToBeginning(partitions);
      boolean begun = false;
      while (true) {
        if (!begun
            && partitions.stream()
                .allMatch(it -> consumer.position(it) >= ends.getOrDefault(it, 0L))) {
          begun = true;
          listener.begins();
        }
        for (var message : consumer.poll(POLL)) {
          var partition = new TopicPartition(message.topic(), message.partition());
          if (message.value() == null) {
            continue;
          }
          if (message.offset() < ends.getOrDefault(partition, 0L)) {
            listener.before(message.value());
          } else {
            if (!begun) {
              begun = true;
              listener.begins();
            }
            listener.now(message.value());
          }
        }
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
