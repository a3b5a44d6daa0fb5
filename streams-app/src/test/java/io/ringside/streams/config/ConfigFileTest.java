package io.ringside.streams.config;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

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
    var http = new HttpConfig(host, port, -1, "", "", "", "", advertised);

    assertThat(http.advertisedAddress()).isEqualTo(address);
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
        "'http: {prot: 1}'                        | http.prot is not a known key, known here: advertised, host, keystore, keystorePassword, names, port, probePort, tokenFile",
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

  static Stream<String> bombs() {
    var laughs = new StringBuilder("a: &a [x]\n");
    for (char c = 'b'; c < 'm'; c++) {
      var before = "*" + (char) (c - 1);
      laughs.append("%s: &%s [%s]\n".formatted(c, c, String.join(",", nCopies(10, before))));
    }
    return Stream.of(
        laughs.toString(),
        "a: " + "[".repeat(200_000),
        "a: " + "{b: ".repeat(200_000),
        "http: " + "x".repeat(4 << 20),
        "a: '" + "x".repeat(40 << 20) + "'",
        "http: {port: 1e999999999}",
        "http: {port: " + "9".repeat(500_000) + "}",
        "processing: {commitInterval: 99999999999999999999d}",
        "\u0000\u0001",
        "&a [*a]",
        "? [a, b] : c");
  }

  @ParameterizedTest
  @MethodSource("bombs")
  void refusesWhatWasMadeToHurt(String yaml) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> assertThatThrownBy(() -> read(yaml)).isInstanceOf(InvalidConfig.class));
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
