package io.ringside.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class StreamsAppMainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void explainsItself() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("--bootstrap-servers").contains("RINGSIDE_HTTP_PORT");
  }

  @Test
  void saysInOneLineWhatIsWrongWithTheConfiguration() {
    assertThat(run("--http-port", "99999")).isEqualTo(2);
    assertThat(err.toString().strip())
        .isEqualTo("command line: http.port must be 0 to 65535, was 99999");
  }

  @Test
  void refusesAFileThatIsNotThere(@TempDir Path folder) {
    assertThat(run("--config", folder.resolve("gone.yaml").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("there is no such file").doesNotContain("\tat ");
  }

  private int run(String... args) {
    return new CommandLine(new StreamsAppMain())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }
}
