package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Recordings;
import io.ringside.schemas.event.FindingKind;
import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ConfigFile;
import io.ringside.standalone.pipeline.LocalPipeline;
import io.ringside.streams.config.HttpConfig;
import io.ringside.streams.topology.JudgeJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Jobs with every kind of finding through an agent, a broker and the service; a real Prometheus scrapes both
/// programs, evaluates the rules and executes every query of every dashboard. Needs Debian's prometheus.
@Timeout(600)
class DashboardsIT {
  private static final List<String> RECORDINGS =
      List.of(
          "seed-g6e-efa-fallback", // the demo's two
          "slowcoll",
          "seed-p4d-four-pods-efa",
          "badif",
          "collok",
          "dscollslow",
          "dsslow",
          "hang",
          "nccltests-shm",
          "netlocal",
          "p2pread",
          "pods1",
          "restarted",
          "shm");

  /// What is active, and how a run ended, which is never active.
  private static final String KINDS =
      "count by (kind) ({__name__=~\"ringside_findings_active|ringside_symptoms_active|ringside_findings_told\"})";

  @TempDir private Path folder;

  @Test
  void everyPanelShowsSomethingAndAlertsFire() throws Exception {
    Installed.program("prometheus");
    var written = new WrittenLogs(folder.resolve("logs"));
    for (var recording : RECORDINGS) {
      Recordings.unpack(recording, folder.resolve("logs").resolve(recording));
    }
    written.renameSecondSeed();
    written.stopWhileSlow();
    written.stopBeforeTheEnd();
    written.drift();
    written.fail();
    var secondStart = written.holdBackSecondStart();
    try (var pipeline =
            LocalPipeline.start(new HttpConfig("127.0.0.1", 0), JudgeJobs.Pace.FLEET, null);
        var nodes = new GeneratedNodes(pipeline.bootstrapServers());
        var agent = Shipper.start(ConfigFile.read(null, settings(pipeline), _ -> null));
        var prometheus =
            Prometheus.start(
                pipeline.httpAddress().getPort(), agent.port().orElseThrow(), folder)) {
      var now = Instant.now();
      nodes.train(now.minus(Duration.ofMinutes(3)));
      Recordings.await(
          Duration.ofMinutes(2),
          () -> pipeline.runs().stream().anyMatch(run -> run.job().equals(GeneratedNodes.JOB)));
      nodes.report(now);
      nodes.report(now.plusSeconds(5));
      prometheus.await("ringside_job_attempt{job=\"restart\"} == 1");
      secondStart.call();

      for (var alert : List.of("RingsideEfaFallback", "RingsideHang", "RingsideWatchdog")) {
        prometheus.await("ALERTS{alertname=\"%s\",alertstate=\"firing\"}".formatted(alert));
      }
      for (var alert : List.of("RingsideStraggler", "RingsideTransport", "RingsideSensorStalled")) {
        prometheus.await("ALERTS{alertname=\"%s\"}".formatted(alert)); // these wait for a while
      }
      assertEveryKindIsThere(prometheus, nodes);
      assertEveryQueryHasAResult(prometheus, nodes);
      assertThat(prometheus.results("ringside_job_verdict{job=\"llama-c\"}"))
          .as("honor_labels keeps the training job's name")
          .isOne();
      assertThat(prometheus.labels("ringside_job_verdict", "namespace"))
          .as("honor_labels keeps the training job's namespace, and none where it has none")
          .contains("training", "")
          .doesNotContain(Prometheus.NAMESPACE);
      assertThat(prometheus.labels("ringside_streams_running", "namespace"))
          .containsExactly(Prometheus.NAMESPACE);
      assertThat(prometheus.labels("ringside_shipper_info", "node")).containsExactly("n1");
      assertThat(prometheus.labels("ringside_node_suspect", "node")).contains("n1");
    }
  }

  private static void assertEveryKindIsThere(Prometheus prometheus, GeneratedNodes nodes)
      throws Exception {
    var all = new TreeSet<>(Arrays.stream(FindingKind.values()).map(FindingKind::label).toList());
    until(
        Duration.ofMinutes(2),
        () -> {
          nodes.report(Instant.now()); // a run whose agents are not heard any more is over
          return prometheus.labels(KINDS, "kind").equals(all);
        });
    assertThat(prometheus.labels(KINDS, "kind")).isEqualTo(all);
  }

  /// Those of panels, of annotations and of variables.
  private static void assertEveryQueryHasAResult(Prometheus prometheus, GeneratedNodes nodes)
      throws Exception {
    var queries = DashboardsTest.queries();
    var variables = DashboardsTest.variables();
    assertThat(variables).isNotEmpty();
    until(
        Duration.ofSeconds(90),
        () -> {
          nodes.report(Instant.now());
          return queries.stream().noneMatch(it -> empty(prometheus, it));
        });
    assertThat(queries).filteredOn(it -> empty(prometheus, it)).isEmpty();
    assertThat(variables)
        .filteredOn(it -> prometheus.values(filled(it.selector()), it.label()).isEmpty())
        .isEmpty();
  }

  /// Gives up after a while: the assertion that follows says what is missing.
  private static void until(Duration patience, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() < deadline && !condition.call()) {
      Thread.sleep(250);
    }
  }

  private static boolean empty(Prometheus prometheus, DashboardsTest.Query query) {
    return prometheus.results(filled(query.expression())) == 0;
  }

  /// The variables as somebody would have set them who looks at everything.
  private static String filled(String expression) {
    return expression
        .replace("cluster=\"$cluster\"", "cluster=~\".*\"")
        .replace("namespace=\"$namespace\"", "namespace=~\".*\"")
        .replace("$cluster", ".*")
        .replace("$namespace", ".*")
        .replace("$instance", ".*")
        .replace("job=\"$job\"", "job=~\".+\"")
        .replace("$node", "n1")
        .replace("$price", "4")
        .replace("$__rate_interval", "5s")
        .replace("$__range", "10m");
  }

  private Map<String, String> settings(LocalPipeline pipeline) throws IOException {
    var counters = Files.createDirectories(folder.resolve("sys/class/net/eth0/statistics"));
    Files.writeString(counters.resolve("rx_bytes"), "7\n");
    Files.writeString(counters.resolve("tx_bytes"), "8\n");
    var logs = folder.resolve("logs");
    return Map.ofEntries(
        Map.entry("node", "n1"),
        Map.entry("kafka.bootstrap.servers", pipeline.bootstrapServers()),
        Map.entry("logs.globs", logs + "/*/*.log," + logs + "/*/pods/*/*/*.log"),
        Map.entry("logs.checkpoints", folder.resolve("checkpoints.json").toString()),
        Map.entry("gpu.command", nvidiaSmi().toString()),
        Map.entry("report.interval", "500ms"),
        Map.entry("report.sysfs", folder.resolve("sys").toString()),
        Map.entry("http.host", "127.0.0.1"),
        Map.entry("http.port", "0"));
  }

  /// Prints what was recorded beside the jobs, then nothing more. Of the GPUs of one job, one is
  /// throttled by heat and one needs a reset.
  private Path nvidiaSmi() throws IOException {
    var program =
        Files.writeString(
            folder.resolve("nvidia-smi"),
            """
            #!/bin/sh
            case "$*" in
              *-lms*)
                cat "%1$s"/slowcoll/nvidia-smi.csv
                sed -e '/00:08.0/s/0x0000000000000000/0x0000000000000040/' \\
                  -e '/00:09.0/s/[0-9.]*, 700.00/[GPU requires reset], 700.00/' \\
                  "%1$s"/dscollslow/nvidia-smi.csv
                exec sleep 60 ;;
              *--help*) ;;
              *) exit 1 ;;
            esac
            """
                .formatted(folder.resolve("logs")));
    return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
