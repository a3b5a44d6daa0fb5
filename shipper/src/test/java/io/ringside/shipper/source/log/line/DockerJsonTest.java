package io.ringside.shipper.source.log.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DockerJsonTest {
  private final DockerJson docker = new DockerJson(new StampReader());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"log\":\"a \\\"b\\\"\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-20T20:42:26.5Z\"}",
        // written anew by Python
        "{\"log\": \"a \\\"b\\\"\\n\", \"stream\": \"stderr\", \"time\": \"2026-11-20T20:42:26.5Z\"}",
        "{ \"time\" : \"2026-11-20T20:42:26.5Z\" ,\t\"attrs\": {\"tag\": [1, \"}\"]} , \"stream\" : \"stderr\", \"log\" : \"a \\\"b\\\"\\n\" }",
      })
  void readsWhateverBlanksStandBetween(String line) {
    assertThat(parse(line)).isTrue();
    assertThat(new String(docker.text, 0, docker.length, StandardCharsets.UTF_8))
        .isEqualTo("a \"b\"\n");
    assertThat(docker.stderr).isTrue();
    assertThat(docker.nanos).isEqualTo(1_795_207_346_500_000_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"log\": \"a\", \"stream\": \"stderr\"}",
        "{\"log\" \"a\", \"time\": \"2026-11-20T20:42:26.5Z\"}",
        "{\"log\": \"a\" \"time\": \"2026-11-20T20:42:26.5Z\"}",
        "{\"log\": 3, \"time\": \"2026-11-20T20:42:26.5Z\"}",
        "{ }",
        "{",
      })
  void refusesWhatIsNotDockers(String line) {
    assertThat(parse(line)).isFalse();
  }

  private boolean parse(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    return docker.parse(bytes, 0, bytes.length);
  }
}
