package io.ringside.platform.config;

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
  private static final ConfigFile<Sample> FILE = new ConfigFile<>("/sample.yaml", Sample.class);

  @TempDir private Path folder;

  record Sample(
      String name,
      int count,
      Duration pause,
      List<String> words,
      Map<String, String> kafka,
      Http http) {}

  record Http(int port, boolean verbose) {
    Http {
      Require.between("port", 0, 65_535, port);
    }
  }

  @Test
  void laysTheFileOverTheDefaultsAndSettingsOverBoth() throws IOException {
    var sample =
        read(
            "count: 2\nwords: [b, c]\nhttp: {port: 81}\nkafka: {x.z: 2}\npause:\n",
            Map.of("http.port", "82", "words", "d, e", "kafka.x.y.z", "3"));

    assertThat(sample)
        .isEqualTo(
            new Sample(
                "sample",
                2,
                Duration.ofSeconds(1),
                List.of("d", "e"),
                Map.of("x.y", "1", "x.z", "2", "x.y.z", "3"),
                new Http(82, false)));
  }

  @Test
  void putsTheEnvironmentInPlaceOfVariablesWhereverTheyStand() throws IOException {
    var file =
        write("words: ['${A}', 'a-${UNSET:b}-c', '$1 {z}']\nhttp: {verbose: '${VERBOSE:true}'}");

    var sample =
        FILE.read(file, Map.of("kafka.x.y", "${A}"), Map.of("A", "p$1\\2", "SAMPLE", "n")::get);

    assertThat(sample.name()).isEqualTo("n");
    assertThat(sample.words()).containsExactly("p$1\\2", "a-b-c", "$1 {z}");
    assertThat(sample.kafka()).containsEntry("x.y", "p$1\\2");
    assertThat(sample.http().verbose()).isTrue();
    assertThatThrownBy(() -> FILE.read(file, Map.of(), _ -> null))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining("the environment variable A is not set");
  }

  @ParameterizedTest
  @CsvSource({"200ms, PT0.2S", "5 S, PT5S", "10m, PT10M", "1h, PT1H", "2d, PT48H", "PT3S, PT3S"})
  void takesDurationsAsPeopleWriteThem(String written, Duration meant) throws IOException {
    assertThat(read("pause: " + written, Map.of()).pause()).isEqualTo(meant);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http: {prot: 1}      | http.prot is not a known key, known here: port, verbose; did you mean port?
          http: {port: 70000}  | http.port must be 0 to 65535, was 70000
          http: {port: x}      | http.port cannot be 'x': must be a whole number
          http: 5              | http must hold keys and values
          http: {verbose: ja}  | http.verbose cannot be 'ja': must be true or false
          pause: often         | pause cannot be 'often': give a number with ms, s, m, h or d
          name: ${NOT_SET}     | the environment variable NOT_SET is not set
          - 1                  | must be a YAML mapping
          'a: ['               | line 1
          """)
  void namesTheKeyThatIsWrong(String yaml, String message) {
    assertThatThrownBy(() -> read(yaml, Map.of()))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"nothing.at.all", "http.prot", "count.ms"})
  void refusesASettingThatIsNotKnown(String path) {
    assertThatThrownBy(() -> read("", Map.of(path, "1")))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining(path + " is not a known key");
  }

  @Test
  void refusesAKeyGivenTwice() {
    assertThatThrownBy(() -> read("http:\n  port: 1\n  port: 2\n", Map.of()))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining("c.yaml: line 3")
        .hasMessageContaining("port");
  }

  @Test
  void saysThatTheFileIsMissing() {
    assertThatThrownBy(() -> FILE.read(folder.resolve("gone.yaml"), Map.of(), _ -> null))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining("gone.yaml: there is no such file");
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
        "pause: 99999999999999999999d",
        "\u0000\u0001",
        "&a [*a]",
        "? [a, b] : c");
  }

  @ParameterizedTest
  @MethodSource("bombs")
  void refusesWhatWasMadeToHurt(String yaml) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> assertThatThrownBy(() -> read(yaml, Map.of())).isInstanceOf(InvalidConfig.class));
  }

  private Sample read(String yaml, Map<String, String> settings) throws IOException {
    return FILE.read(write(yaml), settings, _ -> null);
  }

  private Path write(String yaml) throws IOException {
    return Files.writeString(folder.resolve("c.yaml"), yaml);
  }
}
