package io.ringside.shipper.fault;

import io.ringside.schemas.topic.Topics;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/// Apache Kafka in the test's JVM, which can go away and come back on the same ports with its data.
final class TestBroker implements AutoCloseable {
  private final Properties properties = new Properties();
  private final int port;
  private KafkaRaftServer server;

  TestBroker(Path folder) throws Exception {
    int controller;
    // open together, so that they differ
    try (var first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = first.getLocalPort();
      controller = second.getLocalPort();
    }
    properties.putAll(
        Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", "1"),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry(
                "listeners",
                "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controller)),
            Map.entry("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port),
            Map.entry("controller.quorum.voters", "1@127.0.0.1:" + controller),
            Map.entry("log.dirs", folder.toString()),
            Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("offsets.topic.num.partitions", "1"),
            Map.entry("transaction.state.log.replication.factor", "1"),
            Map.entry("transaction.state.log.num.partitions", "1"),
            Map.entry("transaction.state.log.min.isr", "1"),
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            Map.entry("auto.create.topics.enable", "false"),
            Map.entry("controlled.shutdown.enable", "false"),
            Map.entry("broker.session.timeout.ms", "1000"),
            Map.entry("broker.heartbeat.interval.ms", "200"),
            Map.entry("log.cleaner.dedupe.buffer.size", "2097152")));
    new Formatter()
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .setNodeId(1)
        .setClusterId(Uuid.randomUuid().toString())
        .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
        .setControllerListenerName("CONTROLLER")
        .setMetadataLogDirectory(folder.toString())
        .addDirectory(folder.toString())
        .run();
    server = start();
    try (var admin = Admin.create(Map.of("bootstrap.servers", address()))) {
      admin
          .createTopics(Topics.ALL.stream().map(topic -> topic.toNewTopic(2, (short) 1)).toList())
          .all()
          .get();
    }
  }

  private KafkaRaftServer start() {
    var fresh = new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
    fresh.startup();
    return fresh;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  void goAway() {
    server.shutdown();
    server.awaitShutdown();
  }

  void comeBack() {
    server = start();
  }

  @Override
  public void close() {
    goAway();
  }
}
