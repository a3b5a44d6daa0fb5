package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A real Alertmanager with our configuration.
final class Alertmanager implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final int port;
  private final Path log;
  private final HttpClient client = HttpClient.newHttpClient();
  private int marks;

  private Alertmanager(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  static Alertmanager start(Path config, Path scratch) throws IOException, InterruptedException {
    var program = InstalledPrograms.program("prometheus-alertmanager");
    int port;
    try (var socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    var log = scratch.resolve("alertmanager.log");
    var process =
        new ProcessBuilder(
                program,
                "--config.file=" + config,
                "--storage.path=" + scratch.resolve("data"),
                "--cluster.listen-address=",
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    var started = new Alertmanager(process, port, log);
    started.awaitReady();
    return started;
  }

  private void awaitReady() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      try {
        if (send(request("/-/ready").GET()).statusCode() == 200) {
          return;
        }
      } catch (IOException notYet) {
        // it has not opened its port
      }
      Thread.sleep(100);
    }
    throw new AssertionError("Alertmanager does not start: " + Files.readString(log));
  }

  /// Raises these alerts, each of them its labels.
  void raise(List<Map<String, String>> alerts) throws IOException, InterruptedException {
    post(alerts.stream().map(labels -> Map.of("labels", (Object) labels)).toList());
  }

  private void post(List<Map<String, Object>> alerts) throws IOException, InterruptedException {
    var body = JSON.writeValueAsString(alerts);
    var response =
        send(
            request("/api/v2/alerts")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
  }

  /// Takes over which alerts fire now, and says of which of them people hear.
  Set<Map<String, String>> heardOf(Set<Map<String, String>> before, Set<Map<String, String>> now)
      throws IOException, InterruptedException {
    var told = new ArrayList<Map<String, Object>>();
    for (var alert : before) {
      if (!now.contains(alert)) {
        told.add(Map.of("labels", alert, "endsAt", Instant.now().toString()));
      }
    }
    now.forEach(alert -> told.add(Map.of("labels", alert)));
    // it looks at alerts in the order in which it hears of them: when it silences the last of these
    // it knows them all
    var mark = "mark-" + marks++;
    for (var name : List.of("RingsideHang", "RingsideStraggler")) {
      told.add(Map.of("labels", Map.of("alertname", name, "job", mark)));
    }
    post(told);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      var heard = new HashSet<Map<String, String>>();
      boolean all = false;
      for (JsonNode alert : alerts()) {
        boolean silenced = !alert.at("/status/inhibitedBy").isEmpty();
        var labels = new TreeMap<String, String>();
        alert.get("labels").forEachEntry((name, value) -> labels.put(name, value.asString()));
        all |= silenced && mark.equals(labels.get("job"));
        if (!silenced && now.contains(labels)) {
          heard.add(labels);
        }
      }
      if (all) {
        return heard;
      }
    }
    throw new AssertionError("Alertmanager silences nothing: " + Files.readString(log));
  }

  /// Names of the alerts that people hear of.
  Set<String> heard() throws IOException, InterruptedException {
    var names = new TreeSet<String>();
    for (JsonNode alert : alerts()) {
      if (alert.at("/status/inhibitedBy").isEmpty()) {
        names.add(alert.at("/labels/alertname").asString());
      }
    }
    return names;
  }

  private JsonNode alerts() throws IOException, InterruptedException {
    return JSON.readTree(send(request("/api/v2/alerts").GET()).body());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private java.net.http.HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    client.close();
    process.destroy();
    process.onExit().join();
  }
}
