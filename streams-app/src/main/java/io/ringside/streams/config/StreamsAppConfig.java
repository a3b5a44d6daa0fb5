package io.ringside.streams.config;

import io.ringside.platform.config.ConfigFile;
import io.ringside.platform.config.InvalidConfig;
import io.ringside.platform.config.Require;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Everything that ringside-streams can be told. The defaults and what each key means are in
/// `streams-app.yaml` beside this class.
///
/// @param bootstrapServers Kafka's `host:port,…`
/// @param applicationId consumer group and prefix of the internal topics
/// @param stateDir Kafka Streams' folder
/// @param expectations file that changes the built-in expectations, empty for none
/// @param kafka settings that go to the Kafka clients as they are and win over the service's own
public record StreamsAppConfig(
    String bootstrapServers,
    String applicationId,
    Path stateDir,
    String expectations,
    HttpConfig http,
    ProcessingConfig processing,
    TopicsConfig topics,
    MetricsConfig metrics,
    Map<String, String> kafka) {
  private static final ConfigFile<StreamsAppConfig> FILE =
      new ConfigFile<>("/streams-app.yaml", StreamsAppConfig.class);

  public StreamsAppConfig {
    Require.text("bootstrapServers", bootstrapServers);
    Require.text("applicationId", applicationId);
    kafka = Map.copyOf(kafka);
  }

  /// Reads the service's configuration.
  ///
  /// @param file the user's YAML, null for none
  /// @param settings single values that win, by path: `http.port`
  /// @param environment gives a variable, null if it is not set
  /// @throws InvalidConfig with a message for people
  public static StreamsAppConfig read(
      @Nullable Path file,
      Map<String, String> settings,
      Function<String, @Nullable String> environment) {
    return FILE.read(file, settings, environment);
  }

  /// What holds when nobody says anything.
  public static StreamsAppConfig defaults() {
    return read(null, Map.of(), _ -> null);
  }

  public StreamsAppConfig withBootstrapServers(String servers) {
    return new StreamsAppConfig(
        servers, applicationId, stateDir, expectations, http, processing, topics, metrics, kafka);
  }

  public StreamsAppConfig withStateDir(Path folder) {
    return new StreamsAppConfig(
        bootstrapServers,
        applicationId,
        folder,
        expectations,
        http,
        processing,
        topics,
        metrics,
        kafka);
  }

  public StreamsAppConfig withExpectations(String file) {
    return new StreamsAppConfig(
        bootstrapServers, applicationId, stateDir, file, http, processing, topics, metrics, kafka);
  }

  public StreamsAppConfig withHttp(HttpConfig address) {
    return new StreamsAppConfig(
        bootstrapServers,
        applicationId,
        stateDir,
        expectations,
        address,
        processing,
        topics,
        metrics,
        kafka);
  }

  public StreamsAppConfig withProcessing(ProcessingConfig how) {
    return new StreamsAppConfig(
        bootstrapServers, applicationId, stateDir, expectations, http, how, topics, metrics, kafka);
  }

  public StreamsAppConfig withTopics(TopicsConfig layout) {
    return new StreamsAppConfig(
        bootstrapServers,
        applicationId,
        stateDir,
        expectations,
        http,
        processing,
        layout,
        metrics,
        kafka);
  }

  public StreamsAppConfig withKafka(Map<String, String> settings) {
    return new StreamsAppConfig(
        bootstrapServers,
        applicationId,
        stateDir,
        expectations,
        http,
        processing,
        topics,
        metrics,
        settings);
  }
}
