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
    return of(Map.of());
  }

  /// The same but for what these say, by path.
  public static StreamsAppConfig of(Map<String, String> settings) {
    return read(null, settings, _ -> null);
  }
}
