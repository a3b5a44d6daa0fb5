package io.ringside.standalone.broker;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The `server.properties` of one small KRaft node that is broker and controller at once.
///
/// Everything is sized for one user on one machine: single-partition internal topics, two threads
/// instead of Kafka's eight, no JMX, no waiting for further group members.
final class BrokerSettings {
  static final int NODE_ID = 1;
  static final String CONTROLLER_LISTENER = "CONTROLLER";

  /// A little more than the agent's largest request, in bytes.
  private static final int LARGEST_MESSAGE = 5 * 1024 * 1024;

  private BrokerSettings() {}

  static Map<String, String> of(LoopbackPorts ports, Path folder) {
    var broker = "PLAINTEXT://127.0.0.1:" + ports.broker();
    var controller = "127.0.0.1:" + ports.controller();
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", Integer.toString(NODE_ID));
    settings.put("controller.listener.names", CONTROLLER_LISTENER);
    settings.put("listeners", broker + "," + CONTROLLER_LISTENER + "://" + controller);
    settings.put("advertised.listeners", broker);
    settings.put("controller.quorum.voters", NODE_ID + "@" + controller);
    settings.put("log.dirs", folder.toString());
    settings.put("metric.reporters", "");
    settings.put("message.max.bytes", Integer.toString(LARGEST_MESSAGE));
    settings.put("auto.create.topics.enable", "false");

    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.num.partitions", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");

    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("num.network.threads", "2");
    settings.put("num.io.threads", "2");
    settings.put("background.threads", "2");
    settings.put("log.cleaner.threads", "1");
    settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(2 * 1024 * 1024));
    settings.put("log.index.size.max.bytes", Integer.toString(1024 * 1024));
    return settings;
  }
}
