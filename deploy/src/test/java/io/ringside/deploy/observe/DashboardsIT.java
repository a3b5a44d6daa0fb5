package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Recordings;
import io.ringside.schemas.event.FindingKind;
import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.standalone.pipeline.LocalPipeline;
import io.ringside.streams.config.HttpConfig;
import io.ringside.streams.topology.ServicePace;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
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
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Jobs with every kind of finding through an agent, a broker and the service; a real Prometheus
/// scrapes both programs, evaluates the rules and executes every query of every dashboard. Needs
/// Debian's prometheus.
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

  /// What stays at zero here, and why; every other query has to show a value, for a panel that is
  /// all zero may as well ask for nothing.
  private static final Map<String, List<String>> AT_ZERO =
      Map.of(
          "nothing of this goes wrong here",
              List.of(
                  "ringside_shipper_left_behind_bytes_total",
                  "ringside_shipper_read_failures_total",
                  "ringside_shipper_records_refused_total",
                  "ringside_shipper_dead_letters_total",
                  "ringside_state_dropped_total",
                  "ringside_streams_set_aside_records_total",
                  "ringside_streams_thread_failures_total",
                  "ringside_judging_failures_total",
                  "ringside_metrics_folded{instance=~\"$instance\",what=\"jobs\"}"),
          "no tables of the Inspector are here",
              List.of("ringside_shipper_inspector_read_failures_total"),
          "no job here has more ranks than series", List.of("ringside_job_round_wait_seconds_sum"),
          "over between two scrapes",
              List.of(
                  "ringside_shipper_lag_",
                  "ringside_shipper_in_flight_bytes",
                  "ringside_streams_lag_records"),
          "read at once, so that it never rises", List.of("rate(ringside_job_unparsed_lines_total"),
          "every job here is well or has a fault, and each is judged",
              List.of(
                  "ringside_jobs{instance=~\"$instance\",verdict=\"info\"}",
                  "ringside_jobs{instance=~\"$instance\",verdict=\"unknown\"}",
                  "count(ringside_job_verdict{cluster=~\"$cluster\",namespace=~\"$namespace\"} == -1)",
                  "count(ringside_job_verdict{cluster=~\"$cluster\",namespace=~\"$namespace\"} == 1)"));

  private final Instant begin = Instant.now();

  @TempDir private Path folder;
  private int dumps;

  @Test
  void everyPanelShowsSomethingAndAlertsFire() throws Exception {
    InstalledPrograms.program("prometheus");
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
    var expectations =
        Files.writeString(folder.resolve("expectations.yaml"), "costPerGpuHour: {\"*\": 4}\n");
    var config = Files.writeString(folder.resolve("shipper.yaml"), "cluster: eu-1\n");
    try (var pipeline =
            LocalPipeline.start(new HttpConfig("127.0.0.1", 0), ServicePace.FLEET, expectations);
        var nodes = new GeneratedNodes(pipeline.bootstrapServers());
        var agent = agent(config, pipeline);
        var prometheus =
            Prometheus.start(
                pipeline.httpAddress().getPort(), agent.port().orElseThrow(), folder)) {
      var now = Instant.now();
      nodes.train(now.minus(Duration.ofMinutes(3)));
      Recordings.await(
          Duration.ofMinutes(2),
          () ->
              pipeline.look().runs().stream()
                  .anyMatch(run -> run.job().equals(GeneratedNodes.JOB)));
      prometheus.await("ringside_job_rounds_total{job=\"%s\"} > 0".formatted(GeneratedNodes.JOB));
      nodes.trainOn();
      nodes.reportOnce("gone", now);
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
      for (var file : List.of(expectations, config)) {
        Files.writeString(file, "nonsense: true\n"); // is refused, and what was read stays in force
      }
      assertEveryKindIsThere(prometheus, nodes);
      assertEveryQueryHasAValue(prometheus, nodes);
      assertThat(lint(pipeline.httpAddress().getPort())).as("of the service").isEmpty();
      assertThat(lint(agent.port().orElseThrow())).as("of the agent").isEmpty();
      // a scrape that is late leaves a gap
      eventually(Duration.ofSeconds(30), () -> assertLabels(prometheus));
    }
  }

  private static void assertLabels(Prometheus prometheus) throws Exception {
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

  private interface Assertion {
    void check() throws Exception;
  }

  private static void eventually(Duration patience, Assertion assertion) throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        assertion.check();
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        Thread.sleep(250);
      }
    }
  }

  private static void assertEveryKindIsThere(Prometheus prometheus, GeneratedNodes nodes)
      throws Exception {
    var all = new TreeSet<>(Arrays.stream(FindingKind.values()).map(FindingKind::label).toList());
    // comes from counters of ports alone, judged against their past: no log and no report tells it
    all.remove(FindingKind.NETWORK_ERRORS.label());
    // a note on groups of ranks over several machines; the fleet's jobs train without groups
    all.remove(FindingKind.PLACEMENT_ADVICE.label());
    eventually(
        Duration.ofMinutes(2),
        () -> {
          nodes.report(Instant.now()); // a run whose agents are not heard any more is over
          assertThat(prometheus.labels(KINDS, "kind")).isEqualTo(all);
        });
  }

  /// Those of panels, of annotations and of variables.
  private void assertEveryQueryHasAValue(Prometheus prometheus, GeneratedNodes nodes)
      throws Exception {
    var queries = DashboardsTest.queries();
    var variables = DashboardsTest.variables();
    assertThat(variables).isNotEmpty();
    until(
        Duration.ofSeconds(90),
        () -> {
          nodes.report(Instant.now());
          nodes.sendNonsense();
          carry(System.nanoTime() / 1_000_000);
          dumpNonsense();
          return queries.stream().noneMatch(it -> empty(prometheus, it));
        });
    assertThat(queries).filteredOn(it -> empty(prometheus, it)).isEmpty();
    assertThat(variables)
        .filteredOn(it -> prometheus.values(filled(it.selector()), it.label()).isEmpty())
        .isEmpty();
    assertThat(AT_ZERO.values().stream().flatMap(List::stream))
        .allSatisfy(
            part -> assertThat(queries).anyMatch(query -> query.expression().contains(part)));
  }

  /// What `promtool check metrics` says of all that a program tells, the JVM's own metrics among
  /// it; nothing if it ends well.
  private String lint(int port) throws Exception {
    var page =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(port)))
                    .build(),
                BodyHandlers.ofString())
            .body();
    var file = Files.writeString(folder.resolve("metrics-" + port), page);
    var process =
        new ProcessBuilder(InstalledPrograms.program("promtool"), "check", "metrics")
            .redirectInput(file.toFile())
            .redirectErrorStream(true)
            .start();
    assertThat(page).contains("# HELP ringside_");
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? "" : printed;
  }

  /// Gives up after a while: the assertion that follows says what is missing.
  private static void until(Duration patience, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() < deadline && !condition.call()) {
      Thread.sleep(250);
    }
  }

  private boolean empty(Prometheus prometheus, DashboardsTest.Query query) {
    return AT_ZERO.values().stream()
            .flatMap(List::stream)
            .noneMatch(part -> query.expression().contains(part))
        && !prometheus.shows(filled(query.expression()), begin, Instant.now());
  }

  /// The variables as somebody would have set them who looks at everything, and one thing instead
  /// of ten, so that there are others.
  private static String filled(String expression) {
    return expression
        .replace("cluster=\"$cluster\"", "cluster=~\".*\"")
        .replace("namespace=\"$namespace\"", "namespace=~\".*\"")
        .replace("topk(10,", "topk(1,")
        .replace("$cluster", ".*")
        .replace("$namespace", ".*")
        .replace("$instance", ".*")
        .replace("job=\"$job\"", "job=~\".+\"")
        .replace("$node", "n1")
        .replace("$__rate_interval", "5s")
        .replace("$__range", "10m");
  }

  /// Lets both interfaces have carried so much.
  private void carry(long bytes) throws IOException {
    for (var name : List.of("eth0", "eth1")) {
      var counters =
          Files.createDirectories(folder.resolve("sys/class/net/" + name + "/statistics"));
      Files.writeString(counters.resolve("rx_bytes"), bytes + "\n");
      Files.writeString(counters.resolve("tx_bytes"), bytes + "\n");
    }
  }

  /// In place of what a flight recorder writes.
  private void dumpNonsense() throws IOException {
    var dump = folder.resolve("dumps/training_job_uid/nccl_trace_rank_" + dumps++);
    Files.createDirectories(dump.getParent());
    Files.writeString(dump, "nonsense");
  }

  private Shipper agent(Path config, LocalPipeline pipeline) throws IOException {
    var settings = settings(pipeline);
    Supplier<ShipperConfig> reading = () -> ShipperConfig.read(config, settings, _ -> null);
    return Shipper.start(reading.get(), config, reading);
  }

  /// None of the further witnesses can be asked: nothing is where each should be, or something else.
  private Map<String, String> settings(LocalPipeline pipeline) throws IOException {
    carry(7);
    var logs = folder.resolve("logs");
    return Map.ofEntries(
        Map.entry("node", "n1"),
        Map.entry("kafka.bootstrap.servers", pipeline.bootstrapServers()),
        Map.entry("logs.globs", logs + "/*/*.log," + logs + "/*/pods/*/*/*.log"),
        Map.entry("logs.checkpoints", folder.resolve("checkpoints.json").toString()),
        Map.entry("gpu.command", nvidiaSmi().toString()),
        Map.entry("report.interval", "500ms"),
        Map.entry("report.sysfs", folder.resolve("sys").toString()),
        Map.entry("witnesses.kernel.enabled", "true"),
        Map.entry("witnesses.kernel.device", folder.resolve("kmsg").toString()),
        Map.entry("witnesses.ras.enabled", "true"),
        Map.entry("witnesses.ras.addresses", "127.0.0.1:" + pipeline.httpAddress().getPort()),
        Map.entry("witnesses.ras.interval", "1s"),
        Map.entry("witnesses.counters.enabled", "true"),
        Map.entry("witnesses.counters.gpuInterval", "1s"),
        Map.entry("witnesses.dumps.enabled", "true"),
        Map.entry("witnesses.dumps.globs", folder + "/dumps/*/*_trace_rank_*"),
        Map.entry("witnesses.kubernetes.enabled", "true"),
        Map.entry("witnesses.kubernetes.server", "https://127.0.0.1:1"),
        Map.entry("http.host", "127.0.0.1"),
        Map.entry("http.port", "0"));
  }

  /// Prints what was recorded beside the jobs, then nothing more. Of the GPUs of one job, one is
  /// throttled by heat, and one is busy, has memory errors and needs a reset.
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
                  -e '/00:09.0/s/ 0, 0, 4899/ 97, 0, 4899/' \\
                  -e '/00:09.0/s/, 0, 5, 16, P0/, 3, 5, 16, P0/' \\
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
