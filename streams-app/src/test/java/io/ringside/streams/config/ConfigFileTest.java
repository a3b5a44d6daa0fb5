package io.ringside.streams.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
  @TempDir Path folder;

  @Test
  void hasADefaultForEverything() {
    assertThat(ConfigFile.read(null, Map.of()))
        .isEqualTo(
            new StreamsAppConfig(
                "localhost:9092",
                "ringside-streams",
                Path.of("/tmp/ringside-streams"),
                "",
                new HttpConfig("127.0.0.1", 9_095),
                new ProcessingConfig(
                    ProcessingConfig.Guarantee.EXACTLY_ONCE, Duration.ofMillis(200), 2, 0),
                new TopicsConfig(true, 8, 1),
                new MetricsConfig(500, 100, 5, 32, Duration.ofHours(1)),
                Map.of()));
  }

  @Test
  void changesOnlyWhatTheFileNames() throws IOException {
    var config =
        read(
            """
            http:
              port: 0
            processing:
              guarantee: at_least_once
              commitInterval: 2s
            kafka:
              security.protocol: SSL
              request.timeout.ms: 5000
            topics:
            """);

    assertThat(config.http()).isEqualTo(new HttpConfig("127.0.0.1", 0));
    assertThat(config.processing().guarantee()).isEqualTo(ProcessingConfig.Guarantee.AT_LEAST_ONCE);
    assertThat(config.processing().commitInterval()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.processing().threads()).isEqualTo(2);
    assertThat(config.kafka())
        .containsOnly(
            Map.entry("security.protocol", "SSL"), Map.entry("request.timeout.ms", "5000"));
    assertThat(config.topics()).isEqualTo(new TopicsConfig(true, 8, 1));
  }

  @Test
  void letsSingleSettingsWin() throws IOException {
    var file =
        Files.writeString(folder.resolve("c.yaml"), "http: {port: 1, host: a}\nkafka: {x.y: 1}");

    var config =
        ConfigFile.read(
            file,
            Map.of(
                List.of("http", "port"),
                "7",
                List.of("kafka", "x.y"),
                "2",
                List.of("stateDir"),
                "/s"));

    assertThat(config.http()).isEqualTo(new HttpConfig("a", 7));
    assertThat(config.kafka()).containsOnly(Map.entry("x.y", "2"));
    assertThat(config.stateDir()).isEqualTo(Path.of("/s"));
  }

  @Test
  void putsTheEnvironmentInPlaceOfVariables() throws IOException {
    var file =
        Files.writeString(
            folder.resolve("c.yaml"),
            "kafka: {ssl.keystore.password: '${SECRET}', x: 'a-${UNSET:b}-c', y: '$1 {z}'}");

    var config = ConfigFile.read(file, Map.of(), Map.of("SECRET", "p$1\\2")::get);

    assertThat(config.kafka())
        .containsOnly(
            Map.entry("ssl.keystore.password", "p$1\\2"),
            Map.entry("x", "a-b-c"),
            Map.entry("y", "$1 {z}"));
    assertThatThrownBy(() -> ConfigFile.read(file, Map.of(), name -> null))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining("the environment variable SECRET is not set");
  }

  @Test
  void takesAnEmptyFileForNoWish() throws IOException {
    assertThat(read("# nothing yet\n")).isEqualTo(StreamsAppConfig.defaults());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'http: {prot: 1}'                        | http.prot is not a known key, known here: advertised, host, keystore, keystorePassword, port, tokenFile",
        "'http: {port: 70000}'                    | http.port must be 0 to 65535, was 70000",
        "'http: {port: x}'                        | http.port cannot be 'x': must be a whole number",
        "'http: 5'                                | http must hold keys and values",
        "'processing: {guarantee: none}'          | processing.guarantee cannot be 'none': must be one of",
        "'processing: {commitInterval: 5 x}'      | processing.commitInterval cannot be '5 x'",
        "'topics: {create: perhaps}'              | topics.create cannot be 'perhaps': must be true or false",
        "'metrics: {retireAfter: -PT1S}'          | metrics.retireAfter must be positive",
        "'bootstrapServers: \"\"'                 | bootstrapServers must not be empty",
        "'- 1'                                    | must be a YAML mapping",
        "'a: ['                                   | line 1",
      })
  void namesTheKeyThatIsWrong(String yaml, String message) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining("c.yaml: ")
        .hasMessageContaining(message);
  }

  @Test
  void refusesAKeyGivenTwice() {
    assertThatThrownBy(() -> read("http:\n  port: 1\n  port: 2\n"))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining("line 3")
        .hasMessageContaining("port");
  }

  @Test
  void saysThatTheFileIsMissing() {
    assertThatThrownBy(() -> ConfigFile.read(folder.resolve("gone.yaml"), Map.of()))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining("gone.yaml: there is no such file");
  }

  private StreamsAppConfig read(String yaml) throws IOException {
    return ConfigFile.read(Files.writeString(folder.resolve("c.yaml"), yaml), Map.of());
  }
}
