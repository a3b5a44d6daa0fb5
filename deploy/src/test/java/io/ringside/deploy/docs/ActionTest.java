package io.ringside.deploy.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What `action.yml` does on a runner, with a launcher that says what it was asked for.
class ActionTest {
  private static final JsonNode ACTION =
      Repository.documents(Repository.path("action.yml")).getFirst();

  @TempDir Path folder;

  @BeforeEach
  void putALauncherThere() throws IOException {
    var launcher =
        Files.writeString(
            folder.resolve("ringside"),
            """
            #!/bin/sh
            echo "$*" >>"$GITHUB_ACTION_PATH/asked"
            echo "::error::said"
            echo "the verdict"
            case $* in *--fail-on*) exit 3 ;; esac
            """);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
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
