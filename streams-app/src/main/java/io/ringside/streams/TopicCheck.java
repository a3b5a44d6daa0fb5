package io.ringside.streams;

import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.config.TopicsConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/// Compares the existing topics with those that Ringside needs.
final class TopicCheck {
  private static final long PATIENCE_SECONDS = 60;

  private TopicCheck() {}

  /// One sentence for each fault, in the order of the data flow; empty if all is well.
  ///
  /// @throws StartFailed if the broker does not answer or refuses
  static List<String> faults(Map<String, Object> adminSettings, TopicsConfig layout) {
    return AdminQuery.answer(adminSettings, "topics", "described", admin -> faults(admin, layout));
  }

  private static List<String> faults(Admin admin, TopicsConfig layout)
      throws ExecutionException, TimeoutException, InterruptedException {
    var existing = admin.listTopics().names().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    var present = Topics.ALL.stream().map(Topic::name).filter(existing::contains).sorted().toList();
    var descriptions =
        admin.describeTopics(present).allTopicNames().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    var configs = new TreeMap<String, Config>();
    admin
        .describeConfigs(
            present.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList())
        .all()
        .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
        .forEach((resource, config) -> configs.put(resource.name(), config));
    return faults(descriptions, configs, layout);
  }

  static List<String> faults(
      Map<String, TopicDescription> topics, Map<String, Config> configs, TopicsConfig layout) {
    var faults = new ArrayList<String>();
    for (var topic : Topics.ALL) {
      var found = topics.get(topic.name());
      var config = configs.get(topic.name());
      if (found == null || config == null) {
        faults.add(topic.name() + ": is missing");
        continue;
      }
      int partitions = found.partitions().size();
      if (partitions != layout.partitions()) {
        faults.add(
            "%s: has %d partitions, topics.partitions is %d"
                .formatted(topic.name(), partitions, layout.partitions()));
      }
      int replicas = found.partitions().getFirst().replicas().size();
      if (replicas < layout.replicas()) {
        faults.add(
            "%s: has %d replicas, topics.replicas is %d"
                .formatted(topic.name(), replicas, layout.replicas()));
      }
      new TreeMap<>(topic.settings())
          .forEach((key, wanted) -> setting(topic.name(), key, wanted, config, faults));
    }
    return faults;
  }

  private static void setting(
      String topic, String key, String wanted, Config config, List<String> faults) {
    var entry = config.get(key);
    var value = entry == null ? "" : String.valueOf(entry.value());
    boolean good =
        switch (key) {
          case TopicConfig.MAX_MESSAGE_BYTES_CONFIG ->
              !value.isEmpty() && Long.parseLong(value) >= Long.parseLong(wanted);
          // exact, since for example compaction combined with deletion loses old records
          default -> value.equals(wanted);
        };
    if (!good) {
      faults.add("%s: %s is %s, should be %s".formatted(topic, key, value, wanted));
    }
  }
}
