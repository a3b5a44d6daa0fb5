package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A real Prometheus that scrapes the service, and agents, twice a second and evaluates our rules.
final class Prometheus implements AutoCloseable {
  /// Of the targets, as a pod monitor would say.
  static final String NAMESPACE = "ringside";

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  private final Process process;
  private final int port;
  private final Path log;
  private final HttpClient client = HttpClient.newHttpClient();

  private Prometheus(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /// @param service port of the streams service
  static Prometheus start(int service, Path scratch) throws IOException {
    return start(scratch, scraping("ringside-streams", service));
  }

  /// @param service port of the streams service
  /// @param agent port of an agent
  static Prometheus start(int service, int agent, Path scratch) throws IOException {
    return start(
        scratch, scraping("ringside-streams", service) + scraping("ringside-shipper", agent));
  }

  private static String scraping(String name, int port) {
    return """
      - job_name: %s
        honor_labels: true
        static_configs: [{targets: ["127.0.0.1:%d"], labels: {namespace: %s}}]
    """
        .formatted(name, port, NAMESPACE);
  }

  private static Prometheus start(Path scratch, String scraped) throws IOException {
    var program = InstalledPrograms.program("prometheus");
    var rules =
        Files.writeString(
            scratch.resolve("rules.yaml"),
            Repository.text(Repository.path("deploy/prometheus/rules/ringside.yaml"))
                .replace("[5m] offset 6m", "[5s] offset 6s")); // what pages are held for
    var config =
        Files.writeString(
            scratch.resolve("prometheus.yaml"),
            """
            global: {scrape_interval: 500ms, evaluation_interval: 500ms}
            rule_files: ["%s"]
            scrape_configs:
            %s"""
                .formatted(rules, scraped));
    int port = freePort();
    var log = scratch.resolve("prometheus.log");
    var process =
        new ProcessBuilder(
                program,
                "--config.file=" + config,
                "--storage.tsdb.path=" + scratch.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new Prometheus(process, port, log);
  }

  /// Waits until the query has a result.
  void await(String query) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      if (process.isAlive() && up() && results(query) > 0) {
        return;
      }
      Thread.sleep(200);
    }
    throw new AssertionError(query + " stays empty: " + Files.readString(log));
  }

  /// How many series an instant query gives.
  int results(String query) {
    return answer(query).size();
  }

  /// Whether a panel over this time would show something: a value that is neither zero nor missing.
  boolean shows(String query, Instant from, Instant to) {
    var found =
        data(
                "/api/v1/query_range?start=%d&end=%d&step=1&query="
                    .formatted(from.getEpochSecond(), to.getEpochSecond()),
                query)
            .get("result");
    for (var series : found) {
      for (var point : series.get("values")) {
        double value = Double.parseDouble(point.get(1).asString());
        if (Double.isFinite(value) && value != 0) {
          return true;
        }
      }
    }
    return false;
  }

  /// The values of one label over the series of an instant query.
  Set<String> labels(String query, String label) {
    var values = new TreeSet<String>();
    answer(query).forEach(series -> values.add(series.at("/metric/" + label).asString("")));
    return values;
  }

  /// What a variable of a dashboard offers: the values of a label over the series of a selector.
  Set<String> values(String selector, String label) {
    var values = new TreeSet<String>();
    data("/api/v1/label/" + label + "/values?match[]=", selector)
        .forEach(value -> values.add(value.asString()));
    return values;
  }

  private JsonNode answer(String query) {
    return data("/api/v1/query?query=", query).get("result");
  }

  private JsonNode data(String path, String query) {
    var response =
        get(path.replace("[]", "%5B%5D") + URLEncoder.encode(query, StandardCharsets.UTF_8));
    var answer = JSON.readTree(response);
    assertThat(answer.get("status").asString()).as("%s: %s", query, response).isEqualTo("success");
    return answer.get("data");
  }

  private boolean up() {
    try {
      return get("/-/ready").contains("Ready");
    } catch (AssertionError notYet) {
      return false;
    }
  }

  private String get(String path) {
    try {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
              BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new AssertionError("Prometheus does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    client.close();
    process.destroy();
    process.onExit().join();
  }
}
