package io.ringside.shipper.config;

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

class ShipperConfigTest {
  @TempDir private Path folder;

  @Test
  void theDefaultsAreComplete() throws IOException {
    var config = ShipperConfig.read(null, Map.of(), name -> name.equals("NODE_NAME") ? "n7" : null);
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
        .contains("- /c")
        .doesNotContain("s3cret");
  }

  @Test
  void whatIsPrintedIsReadAsTheSame() throws IOException {
    var config =
        read(
            """
            cluster: "it's: #1"
            node: "007"
            job: "1000."
            jobPatterns: [{name: ours, regex: '(?<job>.+)-rank\\d+'}]
            kafka: {linger.ms: 5}
            logs: {globs: [/a/*.log, '/b/**/*.log'], poll: 250ms}
            """,
            Map.of());

    assertThat(read(EffectiveConfig.yaml(config), Map.of())).isEqualTo(config);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          logs: {poll: often}                 | logs.poll cannot be
          logs: {inFlightBytes: 5}            | logs.inFlightBytes must be at least 1048576, was 5
          logs: {chunkLines: many}            | logs.chunkLines
          gpu: {interval: 1ms}                | gpu.interval must be at least 50ms
          witnesses: {ras: {addresses: pod}}  | witnesses.ras.addresses must be like host:28028, was pod
          witnesses: {kubernetes: {server: pod}} | witnesses.kubernetes.server must be like https://kubernetes.default.svc, was pod
          witnesses: {ras: {interval: 10ms}}  | witnesses.ras.interval and standing must be at least 1s
          http: {port: 70000}                 | http.port must be 0 to 65535, was 70000
          jobPatterns: [{name: a, regex: b}]  | jobPatterns[0].pattern 'b' must have a group (?<job>
          kafka: {bootstrap.servers: ''}      | kafka.bootstrap.servers must not be empty
          """)
  void aMistakeIsNamedWithItsPath(String yaml, String message) {
    assertThatThrownBy(() -> read(yaml, Map.of()))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining(message);
  }

  private ShipperConfig read(String yaml, Map<String, String> settings) throws IOException {
    Path file = Files.writeString(folder.resolve("shipper.yaml"), yaml);
    return ShipperConfig.read(file, settings, name -> name.equals("SECRET") ? "s3cret" : null);
  }
}
