package io.ringside.deploy.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// What `action.yml` does on a runner: with a launcher that says what it was asked for, and with
/// Ringside itself.
class ActionTest {
  private static final JsonNode ACTION =
      Repository.documents(Repository.path("action.yml")).getFirst();

  @TempDir Path folder;

  @BeforeEach
  void putALauncherThere() throws IOException {
    launcher(
        """
        #!/bin/sh
        echo "$*" >>"$GITHUB_ACTION_PATH/asked"
        echo "::error::said"
        echo "the verdict"
        case $* in *--fail-on*) exit 3 ;; esac
        """);
  }

  @ParameterizedTest
  @CsvSource({
    "seed-g6e-efa-fallback, critical, 3, error, ✖ llama-3-8b: NCCL fell back from EFA to TCP sockets (rank 0 of 4)",
    "healthy, critical, 0, notice, '✓ healthy: No fault found. Not judged: waits, steps, gpus over time.'",
  })
  void judgesARecording(
      String recording, String failOn, int code, String annotation, String verdict)
      throws Exception {
    launcher(
        """
        #!/bin/sh
        exec '%s' -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp '%s' \
          io.ringside.standalone.RingsideMain "$@"
        """
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path")));
    var logs = Repository.path("examples/recordings").resolve(recording).toString();

    assertThat(run(logs, failOn, "out.sarif")).isEqualTo(code);

    assertThat(folder.resolve("output")).hasContent("verdict=" + verdict);
    assertThat(folder.resolve("log"))
        .content()
        .startsWith("::" + annotation + " ")
        .endsWith(verdict + "\n");
    assertThat(folder.resolve("summary")).content().startsWith("### " + verdict.charAt(0) + " ");
    var sarif = Repository.documents(folder.resolve("out.sarif")).getFirst();
    assertThat(sarif.at("/version").asString()).isEqualTo("2.1.0");
    assertThat(sarif.at("/runs/0/results").isEmpty()).isEqualTo(annotation.equals("notice"));
  }

  @Test
  void annotatesSumsUpAndFails() throws Exception {
    assertThat(run("logs/\nmore logs/a.log\n", "critical", "out.sarif")).isEqualTo(3);

    assertThat(folder.resolve("asked"))
        .hasContent(
            """
            analyze --format markdown -- logs/ more logs/a.log
            analyze --format sarif -- logs/ more logs/a.log
            analyze --format github --fail-on critical -- logs/ more logs/a.log
            """);
    assertThat(folder.resolve("summary")).content().contains("the verdict");
    assertThat(folder.resolve("out.sarif")).content().contains("the verdict");
    assertThat(folder.resolve("output")).hasContent("verdict=the verdict");
    assertThat(folder.resolve("log")).content().contains("::error::said");
  }

  @Test
  void neverFailsIfToldSo() throws Exception {
    assertThat(run("logs", "never", "")).isZero();
    assertThat(folder.resolve("asked")).content().doesNotContain("--fail-on", "sarif");
  }

  @Test
  void tellsWhatWasJudgedInPart() throws Exception {
    launcher(
        """
        #!/bin/sh
        echo "the verdict"
        exit 4
        """);

    assertThat(run("logs", "critical", "out.sarif")).isEqualTo(4);

    for (var told : List.of("summary", "out.sarif", "log")) {
      assertThat(folder.resolve(told)).hasContent("the verdict");
    }
    assertThat(folder.resolve("output")).hasContent("verdict=the verdict");
  }

  @Test
  void saysNothingMoreWhereNothingCanBeJudged() throws Exception {
    launcher("#!/bin/sh\nexit 2\n");

    assertThat(run("logs", "never", "out.sarif")).isEqualTo(2);
    assertThat(folder.resolve("output")).doesNotExist();
  }

  /// What somebody names a folder is no script, and no option.
  @Test
  void takesInputsForWhatTheyAre() throws Exception {
    assertThat(run("$(touch hacked)\n--json; touch hacked", "never", "")).isZero();

    assertThat(folder.resolve("hacked")).doesNotExist();
    assertThat(folder.resolve("asked"))
        .content()
        .contains("-- $(touch hacked) --json; touch hacked");
    assertThat(ACTION.at("/runs/steps/0/run").asString()).doesNotContain("${{");
  }

  private void launcher(String script) throws IOException {
    var launcher = Files.writeString(folder.resolve("ringside"), script);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
  }

  private int run(String paths, String failOn, String sarif) throws Exception {
    var step = ACTION.at("/runs/steps/0");
    assertThat(step.at("/shell").asString()).isEqualTo("bash");
    var inputs =
        Map.of(
            "${{ inputs.paths }}", paths,
            "${{ inputs.fail-on }}", failOn,
            "${{ inputs.sarif }}", sarif);
    var environment = new HashMap<String, String>();
    step.get("env")
        .properties()
        .forEach(entry -> environment.put(entry.getKey(), inputs.get(entry.getValue().asString())));
    environment.put("GITHUB_ACTION_PATH", folder.toString());
    environment.put("GITHUB_STEP_SUMMARY", folder.resolve("summary").toString());
    environment.put("GITHUB_OUTPUT", folder.resolve("output").toString());
    var script = Files.writeString(folder.resolve("step.sh"), step.at("/run").asString(), UTF_8);
    var builder =
        new ProcessBuilder("bash", "--noprofile", "--norc", "-eo", "pipefail", script.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile());
    builder.environment().putAll(environment);
    var process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
