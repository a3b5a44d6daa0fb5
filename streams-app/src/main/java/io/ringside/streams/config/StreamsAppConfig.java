package io.ringside.streams.config;

import io.ringside.platform.config.ConfigFile;
import io.ringside.platform.config.InvalidConfig;
import io.ringside.platform.config.Require;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// All settings of ringside-streams. Their defaults and meanings are in `streams-app.yaml` beside
/// this class.
///
/// @param bootstrapServers Kafka's `host:port,…`
/// @param applicationId consumer group and prefix of the internal topics
/// @param stateDir Kafka Streams' folder
/// @param expectations file with changes to the built-in expectations, empty for none
/// @param kafka settings that are passed to the Kafka clients unchanged and override the service's
///   own
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
  /// @param settings single values that override the file, by path: `http.port`
  /// @param environment returns the value of a variable, null if it is not set
  /// @throws InvalidConfig with a message for people
  public static StreamsAppConfig read(
      @Nullable Path file,
      Map<String, String> settings,
      Function<String, @Nullable String> environment) {
    return FILE.read(file, settings, environment);
  }

  /// The configuration with defaults only.
  public static StreamsAppConfig defaults() {
    return of(Map.of());
  }

  /// The defaults with these changes, by path.
  public static StreamsAppConfig of(Map<String, String> settings) {
    return read(null, settings, _ -> null);
  }
}
