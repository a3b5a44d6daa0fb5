package io.ringside.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.shipper.config.Identity;
import io.ringside.shipper.publish.KafkaPublisher;
import io.ringside.shipper.publish.ProducerSettings;
import io.ringside.shipper.source.log.recorded.RecordedLog;
import io.ringside.shipper.source.log.recorded.Recording;
import io.ringside.streams.StreamsApp;
import io.ringside.streams.config.ProcessingConfig.Rebalance;
import io.ringside.streams.config.StreamsAppConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The production service on a real Kafka with the recorded lines of a fallback: what an operator
/// sees over HTTP, before and after the service was away.
@Timeout(180)
class ServiceIT {
  private static final Path LOG = Path.of("..", "examples", "recordings", "seed-g6e-efa-fallback");
  private static final Pattern ACTIVE =
      Pattern.compile("ringside_findings_active\\{[^}]*kind=\"efa-fallback\"[^}]*} 1");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private final HttpClient http = HttpClient.newHttpClient();

  @ParameterizedTest
  @EnumSource
  void showsTheFallbackAndStillKnowsItAfterARestart(Rebalance rebalance) throws Exception {
    try (var kafka = KafkaUnderTest.start()) {
      try (var app = StreamsApp.start(config(kafka, "first", rebalance))) {
        ship(kafka);
        assertThat(eventually(app, "/api/findings", body -> body.contains("efa-fallback")))
            .contains("\"severity\":\"critical\"", "Using network Socket");
        // a scrape does not wait for a rebalance, and leaves out what moves
        eventually(app, "/metrics", body -> ACTIVE.matcher(body).find());
        assertThat(get(app, "/healthz").statusCode()).isEqualTo(200);
        eventually(app, "/readyz", _ -> true);
        eventually(app, "/api/jobs", body -> body.contains("llama-3-8b"));
        assertThat(settled(app, "/api/jobs/nobody").statusCode()).isEqualTo(404);
      }
      // another state folder: everything comes back from the changelog
      try (var app = StreamsApp.start(config(kafka, "second", rebalance))) {
        assertThat(eventually(app, "/api/findings", body -> body.contains("efa-fallback")))
            .contains("0xbc42413ad5ab3a45");
      }
    }
  }

  private StreamsAppConfig config(KafkaUnderTest kafka, String state, Rebalance rebalance) {
    return StreamsAppConfig.of(
        Map.of(
            "processing.rebalance",
            rebalance.name().toLowerCase(Locale.ROOT),
            "bootstrapServers",
            kafka.bootstrapServers(),
            "stateDir",
            folder.resolve(state).toString(),
            "http.port",
            "0",
            "topics.partitions",
            "1"));
  }

  /// As a log stands while its job runs.
  private static void ship(KafkaUnderTest kafka) throws IOException {
    var settings = ProducerSettings.of(kafka.bootstrapServers(), Map.of());
    try (var producer = ProducerSettings.producer(settings);
        var files = Files.list(LOG)) {
      var publisher = new KafkaPublisher(producer);
      var identity = Identity.ofNode("", "node-1");
      List<RecordedLog> logs =
          files.map(file -> new RecordedLog(file, identity.sourceOf(file))).toList();
      Recording.ship(
          logs,
          chunk -> {
            if (!chunk.end()) {
              publisher.send(chunk);
            }
          },
          _ -> {});
      publisher.flush();
    }
  }

  private String eventually(StreamsApp app, String path, Predicate<String> wanted)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      var answer = get(app, path);
      if (answer.statusCode() == 200 && wanted.test(answer.body())) {
        return answer.body();
      }
      assertThat(System.nanoTime()).as("%s: %s", path, answer.body()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  /// The answer once the results stay where they are.
  private HttpResponse<String> settled(StreamsApp app, String path) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    var answer = get(app, path);
    while (answer.statusCode() == 503 && System.nanoTime() < deadline) {
      answer = get(app, path);
    }
    return answer;
  }

  private HttpResponse<String> get(StreamsApp app, String path)
      throws IOException, InterruptedException {
    var address = app.httpAddress();
    var uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
    return http.send(
        HttpRequest.newBuilder(uri).timeout(PATIENCE).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
