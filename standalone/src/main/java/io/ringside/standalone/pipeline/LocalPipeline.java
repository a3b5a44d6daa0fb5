package io.ringside.standalone.pipeline;

import io.ringside.platform.config.InvalidConfig;
import io.ringside.schemas.topic.Topic;
import io.ringside.schemas.topic.Topics;
import io.ringside.standalone.broker.EmbeddedBroker;
import io.ringside.standalone.broker.KeptFolder;
import io.ringside.standalone.broker.ScratchFolder;
import io.ringside.standalone.broker.WorkFolder;
import io.ringside.streams.StreamsApp;
import io.ringside.streams.config.HttpConfig;
import io.ringside.streams.config.StreamsAppConfig;
import io.ringside.streams.publish.ResultsSnapshot;
import io.ringside.streams.topology.ServicePace;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/// Broker and streams service for one user on one machine, with state in temporary folders or in a
/// kept one. Thread-safe.
public final class LocalPipeline implements AutoCloseable {
  /// One partition, since there is one agent and one thread that judges.
  private static final int PARTITIONS = 1;

  /// Limit per topic of the pipeline's own broker, in bytes.
  private static final long MOST_BYTES = 2L << 30;

  private static final Duration START_PATIENCE = Duration.ofSeconds(60);

  /// Short retries, since the broker is in this process: what is not ready now is ready in a
  /// moment.
  private static final Map<String, String> SETTINGS =
      Map.of(
          "processing.commitInterval", "100ms",
          "processing.threads", "1",
          "topics.partitions", Integer.toString(PARTITIONS),
          "kafka.retry.backoff.ms", "10",
          "kafka.retry.backoff.max.ms", "100",
          "kafka.reconnect.backoff.ms", "10");

  private final @Nullable EmbeddedBroker broker;
  private final WorkFolder state;
  private final StreamsAppConfig config;
  private final StreamsApp app;
  private final LocalLines lines;

  private LocalPipeline(
      @Nullable EmbeddedBroker broker,
      WorkFolder state,
      StreamsAppConfig config,
      StreamsApp app,
      LocalLines lines) {
    this.broker = broker;
    this.state = state;
    this.config = config;
    this.app = app;
    this.lines = lines;
  }

  /// Starts a broker and the service. Returns while the service still joins its group; records may
  /// be sent at once.
  ///
  /// @param expectations file that overrides the built-in expectations, null for none
  /// @throws KafkaException if one of them does not start
  /// @throws InvalidConfig if the file cannot be used
  public static LocalPipeline start(
      HttpConfig http, ServicePace pace, @Nullable Path expectations) {
    return start(EmbeddedBroker.start(), scratch(), http, pace, expectations);
  }

  /// Like {@link #start(HttpConfig, ServicePace, Path)}, with all state in a folder where the next
  /// start finds it. The folder is closed with the pipeline.
  ///
  /// @throws KafkaException if one of them does not start
  /// @throws InvalidConfig if the file cannot be used
  public static LocalPipeline in(
      KeptFolder folder, HttpConfig http, ServicePace pace, @Nullable Path expectations) {
    return start(EmbeddedBroker.in(folder), folder, http, pace, expectations);
  }

  private static LocalPipeline start(
      EmbeddedBroker broker,
      WorkFolder state,
      HttpConfig http,
      ServicePace pace,
      @Nullable Path expectations) {
    try {
      // records of a recording have old times, so nothing is deleted by age; the size limit
      // protects the disk of a machine that is watched for weeks
      var keep =
          Map.of(
              TopicConfig.RETENTION_MS_CONFIG,
              "-1",
              TopicConfig.RETENTION_BYTES_CONFIG,
              Long.toString(MOST_BYTES));
      broker.createTopics(Topics.ALL, PARTITIONS, keep);
      return start(broker, broker.bootstrapServers(), state, http, pace, expectations);
    } catch (RuntimeException e) {
      broker.close();
      throw e;
    }
  }

  private static WorkFolder scratch() {
    return ScratchFolder.create("ringside-streams-");
  }

  /// Starts the service on an existing Kafka; creates missing topics.
  ///
  /// @throws KafkaException if the service does not start
  public static LocalPipeline on(
      String bootstrapServers, HttpConfig http, ServicePace pace, @Nullable Path expectations) {
    return start(null, bootstrapServers, scratch(), http, pace, expectations);
  }

  private static LocalPipeline start(
      @Nullable EmbeddedBroker broker,
      String servers,
      WorkFolder state,
      HttpConfig http,
      ServicePace pace,
      @Nullable Path expectations) {
    try {
      var config = config(servers, state, http, broker == null, expectations);
      var lines = new LocalLines();
      var app = StreamsApp.start(config, pace, lines);
      return new LocalPipeline(broker, state, config, app, lines);
    } catch (RuntimeException e) {
      state.close();
      throw e;
    }
  }

  private static StreamsAppConfig config(
      String servers,
      WorkFolder state,
      HttpConfig http,
      boolean createTopics,
      @Nullable Path expectations) {
    var settings = new HashMap<>(SETTINGS);
    settings.put("bootstrapServers", servers);
    settings.put("stateDir", state.path().resolve("streams").toString());
    settings.put("expectations", expectations == null ? "" : expectations.toString());
    settings.put("http.host", http.host());
    settings.put("http.port", Integer.toString(http.port()));
    settings.put("topics.create", Boolean.toString(createTopics));
    return StreamsAppConfig.of(settings);
  }

  public String bootstrapServers() {
    return config.bootstrapServers();
  }

  /// The address of the page, the API and `/metrics`.
  public InetSocketAddress httpAddress() {
    return app.httpAddress();
  }

  /// The current runs and findings.
  public ResultsSnapshot look() {
    return app.views().look();
  }

  /// Finds the line numbers of evidence on this machine, as the page shows them.
  public LocalLines lines() {
    return lines;
  }

  /// Waits until everything that was sent before this call has been judged.
  ///
  /// @param patience longest time without progress
  /// @throws KafkaException if there is no progress for longer than that
  public void awaitJudged(Duration patience, Consumer<Backlog> progress)
      throws InterruptedException {
    if (!app.awaitRunning(START_PATIENCE)) {
      throw new KafkaException(
          "the streams service did not start within %d s, it is %s"
              .formatted(START_PATIENCE.toSeconds(), app.state()));
    }
    try (var admin = Admin.create(clientSettings())) {
      var inputs = Topics.BY_NODE.stream().map(Topic::name).toList();
      new Drain(admin, config.applicationId(), inputs)
          .await(
              patience,
              backlog -> {
                requireAlive();
                progress.accept(backlog);
              });
    }
  }

  private void requireAlive() {
    if (app.state().hasCompletedShutdown()) {
      throw new KafkaException("the streams service stopped: " + app.state());
    }
  }

  private Map<String, Object> clientSettings() {
    Map<String, Object> settings = new HashMap<>();
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    return settings;
  }

  @Override
  public void close() {
    app.close();
    state.close();
    if (broker != null) {
      broker.close();
    }
  }
}
