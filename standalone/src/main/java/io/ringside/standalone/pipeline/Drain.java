package io.ringside.standalone.pipeline;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/// Waits until a streams application has judged everything on its topics: its committed offsets
/// have reached the ends of its input topics and its repartition topics, twice in a row with the
/// ends unchanged. Committed records are judged, under exactly-once too, because offsets are part
/// of the transaction.
///
/// Not thread-safe.
public final class Drain {
  private static final Duration INTERVAL = Duration.ofMillis(50);

  private final Admin admin;
  private final String application;
  private final List<String> inputs;

  /// @param application the `application.id`, which is the name of the consumer group and the
  ///     prefix of internal topics
  /// @param inputs topics that the application reads
  public Drain(Admin admin, String application, List<String> inputs) {
    this.admin = admin;
    this.application = application;
    this.inputs = List.copyOf(inputs);
  }

  /// Returns when everything is judged.
  ///
  /// @param patience longest time without progress
  /// @param progress receives each reading of the backlog
  /// @throws KafkaException if there is no progress for longer than that
  /// @throws InterruptedException if this thread is interrupted
  public void await(Duration patience, Consumer<Backlog> progress) throws InterruptedException {
    @Nullable Backlog before = null;
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      var now = look();
      progress.accept(now);
      if (now.equals(before) && now.behind() == 0) {
        return;
      }
      if (!now.equals(before)) {
        deadline = System.nanoTime() + patience.toNanos();
      } else if (System.nanoTime() > deadline) {
        throw new KafkaException(
            "the streams service made no progress for %d s with %d records left to judge"
                .formatted(patience.toSeconds(), now.behind()));
      }
      before = now;
      Thread.sleep(INTERVAL);
    }
  }

  /// The current backlog of the application.
  ///
  /// @throws KafkaException if the broker does not answer
  public Backlog look() throws InterruptedException {
    try {
      Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
      for (TopicDescription topic : admin.describeTopics(topics()).allTopicNames().get().values()) {
        topic
            .partitions()
            .forEach(
                partition ->
                    wanted.put(
                        new TopicPartition(topic.name(), partition.partition()),
                        OffsetSpec.latest()));
      }
      Map<TopicPartition, Long> ends = new HashMap<>();
      // read the ends before the offsets; otherwise a record might be missed in between
      admin.listOffsets(wanted).all().get().forEach((at, end) -> ends.put(at, end.offset()));
      return new Backlog(committed(), ends);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return new Backlog(Map.of(), Map.of(new TopicPartition("not there yet", 0), 1L));
      }
      throw new KafkaException("cannot ask the broker how far the service is: " + e, e);
    }
  }

  /// The inputs and the application's repartition topics; changelogs are not consumed.
  private List<String> topics() throws ExecutionException, InterruptedException {
    var own =
        admin.listTopics().names().get().stream()
            .filter(name -> name.startsWith(application + "-") && name.endsWith("-repartition"));
    return java.util.stream.Stream.concat(inputs.stream(), own).toList();
  }

  private Map<TopicPartition, Long> committed() throws ExecutionException, InterruptedException {
    var offsets = admin.listConsumerGroupOffsets(application).partitionsToOffsetAndMetadata().get();
    Map<TopicPartition, Long> committed = new HashMap<>();
    for (var partition : offsets.entrySet()) {
      @Nullable OffsetAndMetadata offset = partition.getValue();
      committed.put(partition.getKey(), offset == null ? 0 : offset.offset());
    }
    return committed;
  }
}
