package io.ringside.shipper.config;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigFileTest {
  @TempDir private Path folder;

  @Test
  void theDefaultsAreComplete() throws IOException {
    var config = ConfigFile.read(null, Map.of(), name -> name.equals("NODE_NAME") ? "n7" : null);
    assertThat(config.node()).isEqualTo("n7");
    assertThat(config.logs().globs()).containsExactly("/var/log/pods/*/*/*.log");
    assertThat(config.logs().poll()).isEqualTo(Duration.ofMillis(100));
    assertThat(config.gpu().topologyInterval()).isEqualTo(Duration.ofHours(1));
    assertThat(config.kafka()).containsEntry("bootstrap.servers", "localhost:9092");
    assertThat(config.identity().jobOf("llama-node-0-0")).isEqualTo("llama");
  }

  @Test
  void theFileGoesOverTheDefaultsAndSettingsOverTheFile() throws IOException {
    var config =
        read(
            """
            cluster: prod
            jobPatterns: [{name: ours, regex: '(?<job>.+)-rank\\d+'}]
            kafka: {ssl.keystore.password: "${SECRET}", linger.ms: 5}
            logs: {globs: [/a/*.log, '/b/**/*.log'], poll: 1s}
            """,
            Map.of("logs.poll", "250ms", "logs.globs", "/c, /d", "kafka.client.id", "x"));
    assertThat(config.cluster()).isEqualTo("prod");
    assertThat(config.logs().globs()).containsExactly("/c", "/d");
    assertThat(config.logs().poll()).isEqualTo(Duration.ofMillis(250));
    assertThat(config.logs().scan()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.identity().jobOf("x-rank7")).isEqualTo("x");
    assertThat(config.kafka())
        .containsEntry("ssl.keystore.password", "s3cret")
        .containsEntry("linger.ms", "5")
        .containsEntry("client.id", "x")
        .containsKey("bootstrap.servers");
    assertThat(EffectiveConfig.yaml(config))
        .contains("ssl.keystore.password: (hidden)")
        .contains("- '/c'")
        .doesNotContain("s3cret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          logs: {pol: 1s}                     | logs.pol is not known; known here are
          logs: {poll: often}                 | logs.poll
          logs: {poll: often}                 | must be like 200ms, 1s, 5m or 1h
          logs: {inFlightBytes: 5}            | logs.inFlightBytes must be at least 1048576, was 5
          logs: {chunkLines: many}            | logs.chunkLines
          gpu: {interval: 1ms}                | gpu.interval must be at least 50ms
          witnesses: {ras: {addresses: pod}}  | witnesses.ras.addresses must be like host:28028, was pod
          witnesses: {ras: {interval: 10ms}}  | witnesses.ras.interval and standing must be at least 1s
          http: {port: 70000}                 | http.port must be 0 to 65535, was 70000
          jobPatterns: [{name: a, regex: b}]  | jobPatterns[0].pattern 'b' must have a group (?<job>
          kafka: {bootstrap.servers: ''}      | kafka.bootstrap.servers must not be empty
          cluster: ${NOT_SET}                 | the environment variable NOT_SET is not set
          'a: 1\na: 2'                        | line 2: Duplicate
          just text                           | must hold keys and values
          """)
  void aMistakeIsNamedWithItsPath(String yaml, String message) {
    assertThatThrownBy(() -> read(yaml, Map.of()))
        .isInstanceOf(BadConfig.class)
        .hasMessageContaining(message);
  }

  @Test
  void anUnknownSettingOnTheCommandLineIsRefused() {
    assertThatThrownBy(() -> read("", Map.of("nothing.at.all", "1")))
        .hasMessageContaining("nothing.at.all is not known");
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
        "logs: {poll: 99999999999999999999d}",
        "\u0000\u0001",
        "&a [*a]",
        "? [a, b] : c");
  }

  @ParameterizedTest
  @MethodSource("bombs")
  void refusesWhatWasMadeToHurt(String yaml) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> assertThatThrownBy(() -> read(yaml, Map.of())).isInstanceOf(BadConfig.class));
  }

  private ShipperConfig read(String yaml, Map<String, String> settings) throws IOException {
    Path file = Files.writeString(folder.resolve("shipper.yaml"), yaml);
    return ConfigFile.read(file, settings, name -> name.equals("SECRET") ? "s3cret" : null);
  }
}
