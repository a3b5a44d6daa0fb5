package io.ringside.lab.lives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringside.lab.lives.Machine.Use;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Alerts over what Prometheus had of whole lives: they begin with what is wrong, last as long, and end with the run. Needs
/// promtool, which comes with Debian's prometheus.
class AlertsOfLivesTest {
  private static final Path RULES = Path.of("../deploy/prometheus/rules/ringside.yaml");
  private static final Duration TAKEOVER = Duration.ofMinutes(2);
  private static final Duration LATER = Duration.ofMinutes(6);

  /// So long is told of the start or the end of a run that is over.
  private static final Duration TOLD = Duration.ofMinutes(12);

  /// So long other jobs are waited for that may have the same.
  private static final Duration HELD = Duration.ofMinutes(6);

  private static final String SOCKETS = "NET/Socket/0";

  @TempDir private Path folder;
  private final List<String> demands = new ArrayList<>();
  private Cluster cluster;

  @BeforeEach
  void begin() throws IOException {
    cluster = new Cluster(Files.createDirectory(folder.resolve("state")));
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void aHang() throws Exception {
    var attempt = attempt().init().train(60);
    silent("RingsideHang", Duration.ofMinutes(1));
    attempt.callAllBut(1).use(1, Use.RESTS);
    cluster.pass(45);
    silent("RingsideHang", Duration.ofMinutes(1));
    cluster.pass(75);
    silent("RingsideHang", Duration.ofMinutes(1));
    cluster.pass(HELD.toSeconds());
    fires("RingsideHang");
    cluster.pass(120);
    fires("RingsideHang");
    attempt.terminate();
    endsWithTheRun("RingsideHang");
    promtool();
  }

  @Test
  void aStraggler() throws Exception {
    var attempt = attempt().init().train(60).train(540, 1, 0.3);
    silent("RingsideStraggler", Duration.ofMinutes(9));
    attempt.train(180, 1, 0.3);
    fires("RingsideStraggler");
    attempt.destroy();
    endsWithTheRun("RingsideStraggler");
    promtool();
  }

  /// It would begin to fire when the run is over.
  @Test
  void aStragglerUntilTheEnd() throws Exception {
    var attempt = attempt().init().train(60).train(570, 1, 0.3);
    attempt.destroy();
    cluster.pass(LATER.toSeconds());
    silent("RingsideStraggler", LATER.plusMinutes(10));
    silent("RingsideStragglerSevere", LATER);
    promtool();
  }

  @Test
  void socketsBetweenNodes() throws Exception {
    var attempt = attempt().init(SOCKETS).train(240);
    silent("RingsideTransport", Duration.ofMinutes(3));
    attempt.train(120);
    fires("RingsideTransport");
    attempt.destroy();
    endsWithTheRun("RingsideTransport");
    promtool();
  }

  /// What is told of a start is news for a time of its own, also when the run is over.
  @Test
  void aLateStart() throws Exception {
    var attempt = attempt();
    attempt.begin(0, "IB");
    cluster.pass(45);
    silent("RingsideLateStart", Duration.ofSeconds(30));
    cluster.pass(60);
    attempt.init().train(30);
    fires("RingsideLateStart");
    attempt.destroy();
    cluster.pass(TOLD.plus(LATER).toSeconds());
    silent("RingsideLateStart", Duration.ofMinutes(2));
    promtool();
  }

  @Test
  void aDeath() throws Exception {
    var attempt = attempt().init().train(60);
    silent("RingsideJobFailed", Duration.ofMinutes(1));
    attempt.kill().die(1, "RuntimeError: CUDA error: invalid argument");
    cluster.pass(60);
    fires("RingsideJobFailed");
    cluster.pass(TOLD.plus(LATER).toSeconds());
    silent("RingsideJobFailed", Duration.ofMinutes(2));
    promtool();
  }

  private Attempt attempt() {
    return cluster.start("llama", "llama-0@n1", "llama-1@n2");
  }

  /// At this moment of the life.
  private void fires(String alert) {
    demand(
        "count(ALERTS{alertname=\"%s\",alertstate=\"firing\"})".formatted(alert), "[{value: 1}]");
  }

  /// For so long until now.
  private void silent(String alert, Duration time) {
    demand(
        "count(count_over_time(ALERTS{alertname=\"%s\",alertstate=\"firing\"}[%ds]))"
            .formatted(alert, time.toSeconds()),
        "[]");
  }

  /// The run ends now: as long as another instance may need to take its job over the alert may last.
  private void endsWithTheRun(String alert) {
    cluster.pass(TAKEOVER.plusSeconds(30).plus(LATER).toSeconds());
    silent(alert, LATER);
  }

  private void demand(String query, String samples) {
    long seconds = Duration.between(Cluster.T0, cluster.now()).minusSeconds(1).toSeconds();
    long step = Series.SCRAPED.toSeconds();
    demands.add(
        "{expr: '%s', eval_time: %ds, exp_samples: %s}"
            .formatted(query, seconds / step * step, samples));
  }

  private void promtool() throws IOException, InterruptedException {
    assumeTrue(
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "promtool"))),
        "promtool is not installed");
    var tests = folder.resolve("life.yaml");
    Files.writeString(
        tests,
        """
        rule_files: [%s]
        evaluation_interval: 15s
        tests:
          - interval: 15s
            input_series:
              - %s
            promql_expr_test:
              - %s
        """
            .formatted(
                RULES.toAbsolutePath().normalize(),
                String.join("\n      - ", cluster.witness().series().promtool()),
                String.join("\n      - ", demands)));
    var process =
        new ProcessBuilder("promtool", "test", "rules", tests.toString())
            .redirectErrorStream(true)
            .start();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
  }
}
