package io.ringside.streams;

import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.config.TopicsConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates Ringside's missing topics. Existing topics are left as they are; several instances may
/// do this at once.
final class TopicCreation {
  private static final Logger LOGGER = LoggerFactory.getLogger(TopicCreation.class);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private TopicCreation() {}

  /// @throws StartFailed if the broker does not answer or refuses
  static void ensure(Map<String, Object> adminSettings, TopicsConfig layout) {
    var _ = AdminQuery.answer(adminSettings, "topics", "created", admin -> create(admin, layout));
  }

  /// Creates the missing topics and returns their names.
  private static Set<String> create(Admin admin, TopicsConfig layout)
      throws ExecutionException, TimeoutException, InterruptedException {
    var existing = admin.listTopics().names().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    var missing =
        Topics.ALL.stream()
            .filter(topic -> !existing.contains(topic.name()))
            .collect(Collectors.toMap(Topic::name, topic -> asked(topic, layout)));
    for (var result : admin.createTopics(missing.values()).values().entrySet()) {
      try {
        result.getValue().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        LOGGER
            .atInfo()
            .addKeyValue("topic", result.getKey())
            .addKeyValue("partitions", layout.partitions())
            .log("topic created");
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw e;
        }
      }
    }
    return missing.keySet();
  }

  /// Number of partitions of the log topic; the internal topics have as many. Waits for a topic
  /// that was just created, because not all brokers know it at once.
  ///
  /// @throws StartFailed if the topic is missing or the broker does not answer
  static int partitions(Map<String, Object> adminSettings) {
    var name = Topics.LOGS.name();
    return AdminQuery.answer(
        adminSettings, "topic " + name, "described", admin -> partitions(admin, name));
  }

  private static int partitions(Admin admin, String name)
      throws ExecutionException, TimeoutException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return admin
            .describeTopics(List.of(name))
            .allTopicNames()
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .values()
            .iterator()
            .next()
            .partitions()
            .size();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)
            || System.nanoTime() > deadline) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }

  private static NewTopic asked(Topic<?> topic, TopicsConfig layout) {
    return topic.toNewTopic(layout.partitions(), (short) layout.replicas());
  }
}
