package io.ringside.streams.observe;

import static io.ringside.schemas.event.Finding.State.ACTIVE;
import static io.ringside.schemas.event.FindingKind.EFA_FALLBACK;
import static io.ringside.schemas.event.FindingKind.SENSOR_STALLED;
import static io.ringside.schemas.event.FindingKind.STRAGGLER;
import static io.ringside.schemas.event.RunSummary.State.ENDED;
import static io.ringside.schemas.event.RunSummary.State.RUNNING;
import static io.ringside.schemas.event.Severity.CRITICAL;
import static io.ringside.schemas.event.Severity.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.config.MetricsConfig;
import io.ringside.streams.publish.FixedViews;
import io.ringside.streams.publish.Samples;
import io.ringside.streams.publish.http.MetricsEndpoint;
import io.ringside.streams.publish.http.WebServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// The dashboards under grafana/. The live test needs Debian's prometheus.
class DashboardsTest {
  private static final Path FOLDER = Path.of("..", "grafana", "dashboards");
  private static final Pattern OURS = Pattern.compile("\\bringside_[a-z_]+\\b");

  private static final FixedViews VIEWS =
      new FixedViews(
          List.of(
              Samples.run("llama", "0xaa", 1, ENDED),
              Samples.run("llama", "0xbb", 2, RUNNING),
              Samples.run("calm", "0xcc", 1, RUNNING)),
          List.of(
              Samples.finding("f1", "llama", "0xbb", EFA_FALLBACK, CRITICAL, ACTIVE),
              Samples.finding("f2", "llama", "0xbb", STRAGGLER, WARNING, ACTIVE),
              Samples.finding("f3", "", "", SENSOR_STALLED, WARNING, ACTIVE)));

  /// One query of one panel.
  record Query(String dashboard, String panel, String expression) {
    @Override
    public String toString() {
      return dashboard + " / " + panel + ": " + expression;
    }
  }

  static List<Query> queries() throws IOException {
    var queries = new ArrayList<Query>();
    for (var file : Installed.files(FOLDER, ".json")) {
      var board = EventJson.MAPPER.readTree(file.toFile());
      var title = board.get("title").asString();
      for (var panel : board.get("panels")) {
        for (var target : panel.path("targets")) {
          queries.add(
              new Query(title, panel.get("title").asString(), target.get("expr").asString()));
        }
      }
      for (var annotation : board.get("annotations").get("list")) {
        queries.add(new Query(title, "annotation", annotation.get("expr").asString()));
      }
    }
    return queries;
  }

  static List<Path> dashboards() throws IOException {
    return Installed.files(FOLDER, ".json");
  }

  @ParameterizedTest
  @MethodSource("queries")
  void asksForMetricsThatExist(Query query) {
    var known = Arrays.stream(Metric.values()).map(Metric::metricName).toList();

    assertThat(known)
        .containsAll(OURS.matcher(query.expression()).results().map(it -> it.group()).toList());
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void namesNoDataSourceOfItsOwn(Path file) {
    var board = EventJson.MAPPER.readTree(file.toFile());

    assertThat(board.findValues("datasource"))
        .isNotEmpty()
        .allSatisfy(source -> assertThat(source.get("uid").asString()).isEqualTo("${datasource}"));
    assertThat(file.getFileName().toString()).isEqualTo(board.get("uid").asString() + ".json");
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void laysNoPanelOverAnother(Path file) {
    var board = EventJson.MAPPER.readTree(file.toFile());
    var taken = new boolean[400][24];
    for (var panel : board.get("panels")) {
      JsonNode at = panel.get("gridPos");
      for (int y = at.get("y").asInt(); y < at.get("y").asInt() + at.get("h").asInt(); y++) {
        for (int x = at.get("x").asInt(); x < at.get("x").asInt() + at.get("w").asInt(); x++) {
          assertThat(taken[y][x]).as(panel.get("title").asString()).isFalse();
          taken[y][x] = true;
        }
      }
    }
  }

  @Test
  void showsSomethingInEveryPanelAndFiresAlertsOnARealPrometheus(@TempDir Path scratch)
      throws Exception {
    var bounds = new MetricsConfig(10, 5, 32, Duration.ofHours(1));
    try (var metrics =
            new AppMetrics(
                List.of(
                    new JobMetrics(VIEWS, bounds, InstantSource.system()), new StreamStandIn()));
        var web =
            WebServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                List.of(new MetricsEndpoint(metrics.registry())));
        var prometheus = Prometheus.start(web.address().getPort(), scratch)) {
      prometheus.await("rate(ringside_job_wait_seconds_total[5s])");
      prometheus.await("ALERTS{alertname=\"RingsideEfaFallback\",alertstate=\"firing\"}");

      assertThat(queries())
          .allSatisfy(
              query -> {
                if (!query.panel().equals("annotation")) {
                  assertThat(prometheus.results(filled(query.expression())))
                      .as(query.toString())
                      .isPositive();
                }
              });
      assertThat(prometheus.results("ringside_job_verdict{job=\"llama\"}"))
          .as("honor_labels keeps the training job's name")
          .isOne();
      assertThat(prometheus.results("ringside_findings_active{job=\"\",kind=\"sensor-stalled\"}"))
          .as("a finding about a node has no job, and not the scrape's either")
          .isOne();
    }
  }

  private static String filled(String expression) {
    return expression
        .replace("$cluster", ".*")
        .replace("$instance", ".*")
        .replace("$job", "llama")
        .replace("$price", "4")
        .replace("$__rate_interval", "5s");
  }
}
