package io.ringside.standalone.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.topic.Topic;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Apache Kafka in this JVM: one KRaft node, broker and controller in one, on free loopback ports.
///
/// Its data are in a temporary folder that is removed by [#close()] or, after Ctrl-C, by a shutdown
/// hook; or in a folder of the caller, which keeps them. The first start in a JVM takes 1 to 2 s,
/// later ones about 0.1 s. It uses `kafka.server.KafkaRaftServer`, which is Kafka's own `main`
/// without the process handling. That is internal API, so it may change with the pinned Kafka
/// version.
///
/// Thread-safe after `start`, except {@link #restart}.
public final class EmbeddedBroker implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(EmbeddedBroker.class);

  /// Number of attempts: if two processes race for a port, the second attempt uses new ports.
  private static final int TRIES = 2;

  /// File that Kafka writes into a formatted folder.
  private static final String FORMATTED = "meta.properties";

  static {
    // Kafka ends its process on a fatal fault; here that would end the user's process
    Exit.setExitProcedure(EmbeddedBroker::refuseToExit);
    Exit.setHaltProcedure(EmbeddedBroker::refuseToExit);
  }

  private final Properties properties;
  private KafkaRaftServer server;
  private final WorkFolder folder;
  private final String bootstrapServers;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedBroker(
      Properties properties, KafkaRaftServer server, WorkFolder folder, String bootstrapServers) {
    this.properties = properties;
    this.server = server;
    this.folder = folder;
    this.bootstrapServers = bootstrapServers;
  }

  /// Formats a new folder and starts the node. Returns when it takes requests.
  ///
  /// @throws KafkaException if it does not start; after a failure, new ports are tried once
  public static EmbeddedBroker start() {
    return start(UnaryOperator.identity());
  }

  /// Continues with the data in a folder, or starts with none. The folder is closed with the node.
  ///
  /// @throws KafkaException if it does not start; after a failure, new ports are tried once
  public static EmbeddedBroker in(KeptFolder folder) {
    for (int attempt = 1; ; attempt++) {
      try {
        return start(LoopbackPorts.choose(), folder, UnaryOperator.identity());
      } catch (KafkaException e) {
        if (attempt == TRIES) {
          folder.close();
          throw e;
        }
        again(e);
      }
    }
  }

  private static void again(KafkaException e) {
    LOGGER.atInfo().setCause(e).log("embedded broker did not start, trying other ports");
  }

  /// Like {@link #start()}, with changed settings: the function receives Ringside's settings and
  /// returns those to use, for example with TLS listeners.
  public static EmbeddedBroker start(UnaryOperator<Map<String, String>> settings) {
    for (int attempt = 1; ; attempt++) {
      var ports = LoopbackPorts.choose();
      var folder = ScratchFolder.create("ringside-kafka-");
      try {
        return start(ports, folder, settings);
      } catch (KafkaException e) {
        folder.close();
        if (attempt == TRIES) {
          throw e;
        }
        again(e);
      }
    }
  }

  static EmbeddedBroker start(
      LoopbackPorts ports, WorkFolder folder, UnaryOperator<Map<String, String>> settings) {
    var data = folder.path().resolve("data");
    if (!Files.exists(data.resolve(FORMATTED))) {
      format(data);
    }
    var properties = new Properties();
    properties.putAll(settings.apply(BrokerSettings.of(ports, data)));
    return new EmbeddedBroker(
        properties, started(properties), folder, "127.0.0.1:" + ports.broker());
  }

  private static KafkaRaftServer started(Properties properties) {
    var server = new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
    try {
      server.startup();
    } catch (Exception e) { // Scala code throws undeclared checked exceptions
      server.shutdown();
      throw new KafkaException("the embedded broker did not start: " + e.getMessage(), e);
    }
    return server;
  }

  /// Stops the node and starts it again on the same ports, with its data. Must not run at the same
  /// time as a close.
  ///
  /// @throws KafkaException if it does not start again
  public void restart() {
    server.shutdown();
    server.awaitShutdown();
    server = started(properties);
  }

  private static void format(Path data) {
    try {
      new Formatter()
          .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8))
          .setNodeId(BrokerSettings.NODE_ID)
          .setClusterId(Uuid.randomUuid().toString())
          .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
          .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
          .setMetadataLogDirectory(data.toString())
          .addDirectory(data.toString())
          .run();
    } catch (Exception e) { // Formatter.run declares it
      throw new KafkaException("cannot format %s: %s".formatted(data, e.getMessage()), e);
    }
  }

  /// The value for a client's `bootstrap.servers`, for example `127.0.0.1:39871`.
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /// The folder in which the broker keeps its data until it is closed.
  public Path folder() {
    return folder.path();
  }

  /// Creates these topics with one replica each; existing ones are left as they are.
  ///
  /// @param overrides topic settings that override the topics' own, for example `retention.ms`
  /// @throws KafkaException if the broker refuses
  public void createTopics(
      Collection<? extends Topic<?>> topics, int partitions, Map<String, String> overrides) {
    List<NewTopic> wanted =
        topics.stream()
            .map(topic -> topic.toNewTopic(partitions, (short) 1))
            .map(topic -> withOverrides(topic, overrides))
            .toList();
    try (var admin = admin()) {
      for (var created : admin.createTopics(wanted).values().values()) {
        try {
          created.get();
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof TopicExistsException)) {
            throw new KafkaException("cannot create topics: " + e.getMessage(), e);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted while creating topics", e);
    }
  }

  /// A new admin client of this broker; the caller closes it.
  public Admin admin() {
    return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }

  private static void refuseToExit(int status, @Nullable String message) {
    LOGGER
        .atLevel(ScratchFolder.ending() ? Level.DEBUG : Level.ERROR)
        .addKeyValue("status", status)
        .addKeyValue("reason", message)
        .log("the embedded broker wants to end its process: fatal fault");
    throw new KafkaException("fatal fault in the embedded broker, status " + status);
  }

  private static NewTopic withOverrides(NewTopic topic, Map<String, String> overrides) {
    var config = new HashMap<>(topic.configs());
    config.putAll(overrides);
    return topic.configs(config);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      var start = Time.SYSTEM.milliseconds();
      server.shutdown();
      server.awaitShutdown();
      folder.close();
      LOGGER
          .atDebug()
          .addKeyValue("took", Duration.ofMillis(Time.SYSTEM.milliseconds() - start))
          .log("embedded broker closed");
    }
  }
}
