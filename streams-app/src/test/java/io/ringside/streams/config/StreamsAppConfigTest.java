package io.ringside.streams.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.platform.config.InvalidConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamsAppConfigTest {
  @TempDir Path folder;

  @Test
  void hasADefaultForEverything() {
    assertThat(StreamsAppConfig.defaults())
        .isEqualTo(
            new StreamsAppConfig(
                "localhost:9092",
                "ringside-streams",
                Path.of("/tmp/ringside-streams"),
                "",
                new HttpConfig("127.0.0.1", 9_095),
                new ProcessingConfig(
                    ProcessingConfig.Guarantee.EXACTLY_ONCE,
                    Duration.ofMillis(200),
                    2,
                    ProcessingConfig.Rebalance.CLASSIC,
                    0,
                    Duration.ofHours(24),
                    Duration.ofDays(30),
                    Duration.ofMinutes(2),
                    500),
                new TopicsConfig(true, 8, 1),
                new MetricsConfig(
                    500, 100, 5, 32, Duration.ofHours(1), "http://localhost:9095", ""),
                Map.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, 9095, '', ''",
    "::, 9095, '', ''",
    "10.0.0.7, 0, '', ''",
    "10.0.0.7, 9095, '', 10.0.0.7:9095",
    "fd00::7, 9095, '', [fd00::7]:9095",
    "0.0.0.0, 9095, pod-1.ringside:80, pod-1.ringside:80",
    "0.0.0.0, 9095, fd00::7:9095, [fd00::7]:9095",
    "0.0.0.0, 9095, [fd00::7]:9095, [fd00::7]:9095",
    "10.0.0.7, 9095, none, ''"
  })
  void tellsOthersAnAddressThatTheyCanReach(
      String host, int port, String advertised, String address) {
    var http = new HttpConfig(host, port, -1, "", "", "", "", "", advertised);

    assertThat(http.advertisedAddress()).isEqualTo(address);
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "https://ringside.example.com, ringside.example.com",
    "http://tools:8080/ringside, tools",
  })
  void isKnownByTheNameThatItsLinksHave(String page, String name) {
    var metrics = new MetricsConfig(500, 100, 5, 32, Duration.ofHours(1), page, "");

    assertThat(metrics.pageName()).isEqualTo(name);
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
        StreamsAppConfig.read(
            file, Map.of("http.port", "7", "kafka.x.y", "2", "stateDir", "/s"), _ -> null);

    assertThat(config.http()).isEqualTo(new HttpConfig("a", 7));
    assertThat(config.kafka()).containsOnly(Map.entry("x.y", "2"));
    assertThat(config.stateDir()).isEqualTo(Path.of("/s"));
  }

  @Test
  void takesAnEmptyFileForNoWish() throws IOException {
    assertThat(read("# nothing yet\n")).isEqualTo(StreamsAppConfig.defaults());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'http: {port: 70000}'                    | http.port must be 0 to 65535, was 70000",
        "'processing: {guarantee: none}'          | processing.guarantee cannot be 'none': must be one of",
        "'processing: {commitInterval: 5 x}'      | processing.commitInterval cannot be '5 x'",
        "'metrics: {retireAfter: -PT1S}'          | metrics.retireAfter must be positive",
        "'bootstrapServers: \"\"'                 | bootstrapServers must not be empty",
      })
  void namesTheKeyThatIsWrong(String yaml, String message) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining("c.yaml: ")
        .hasMessageContaining(message);
  }

  private StreamsAppConfig read(String yaml) throws IOException {
    return StreamsAppConfig.read(
        Files.writeString(folder.resolve("c.yaml"), yaml), Map.of(), _ -> null);
  }
}
