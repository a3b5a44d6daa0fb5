package io.ringside.streams.config;

import java.nio.file.Path;
import java.util.Map;

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

  public StreamsAppConfig {
    Require.text("bootstrapServers", bootstrapServers);
    Require.text("applicationId", applicationId);
    kafka = Map.copyOf(kafka);
  }

  /// What holds when nobody says anything.
  public static StreamsAppConfig defaults() {
    return ConfigFile.defaults();
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
