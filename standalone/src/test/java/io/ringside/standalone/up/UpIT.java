package io.ringside.standalone.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.standalone.CapturedConsole;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(120)
class UpIT {
  private static final Pattern API = Pattern.compile("http://\\S+/api/jobs");

  @TempDir Path folder;

  @Test
  void watchesALogThatIsWrittenMeanwhile() throws Exception {
    var captured = new CapturedConsole();
    var up =
        Thread.ofPlatform()
            .start(
                () ->
                    new CommandLine(UpCommand.of(captured.console()))
                        .execute("--port", "0", "--logs", folder + "/*.log"));
    try {
      var api = API.matcher(await(captured));
      assertThat(api.find()).isTrue();
      var recorded = UpIT.class.getResourceAsStream("/input/llama-3-8b-node-0-0.log");
      Files.copy(java.util.Objects.requireNonNull(recorded), folder.resolve("pod-node-0-0.log"));

      assertThat(answer(URI.create(api.group()))).contains("\"pod\"");
    } finally {
      up.interrupt();
      up.join(Duration.ofSeconds(30));
    }
    assertThat(up.isAlive()).isFalse();
  }

  @Test
  void goesOnFromWhatItKeptAndPrintsFindingsAsTheyCome() throws Exception {
    var state = folder.resolve("state");
    var recorded = UpIT.class.getResourceAsStream("/input/llama-3-8b-node-0-0.log");
    Files.copy(java.util.Objects.requireNonNull(recorded), folder.resolve("pod-node-0-0.log"));
    var first = new CapturedConsole();
    whileUp(first, state, "✖ efa-fallback  critical");
    assertThat(first.out())
        .contains(": 1 file now, and what appears later", "Keeping what is learned in " + state)
        .doesNotContain("Still active");

    var second = new CapturedConsole();
    whileUp(second, state, "Still active from the last run: 1 finding");
    assertThat(second.out()).doesNotContain("✖ efa-fallback  critical");
  }

  /// Until it printed that.
  private void whileUp(CapturedConsole captured, Path state, String printed) throws Exception {
    var up =
        Thread.ofPlatform()
            .start(
                () ->
                    new CommandLine(UpCommand.of(captured.console()))
                        .execute(
                            "--port",
                            "0",
                            "--logs",
                            folder + "/*.log",
                            "--state",
                            state.toString()));
    try {
      while (up.isAlive() && !captured.out().contains(printed)) {
        Thread.sleep(20);
      }
      assertThat(captured.out()).contains(printed);
    } finally {
      up.interrupt();
      up.join(Duration.ofSeconds(30));
    }
    assertThat(up.isAlive()).isFalse();
  }

  @Test
  void looksForProgramsOnThePath() throws Exception {
    var program = Files.writeString(folder.resolve("nvidia-smi"), "#!/bin/sh\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    assertThat(UpCommand.isOnPath("nvidia-smi", "/nowhere:" + folder)).isTrue();
    assertThat(UpCommand.isOnPath("nvidia-smi", "/nowhere:")).isFalse();
    assertThat(UpCommand.isOnPath("nvidia-smi", null)).isFalse();
  }

  private static String await(CapturedConsole captured) throws InterruptedException {
    while (!captured.out().contains("Ctrl-C ends it.")) {
      Thread.sleep(20);
    }
    return captured.out();
  }

  /// The API's answer once it knows the job.
  private static String answer(URI api) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      while (true) {
        var response = client.send(HttpRequest.newBuilder(api).build(), BodyHandlers.ofString());
        if (response.statusCode() == 200 && response.body().contains("\"pod\"")) {
          return response.body();
        }
        Thread.sleep(100);
      }
    }
  }
}
