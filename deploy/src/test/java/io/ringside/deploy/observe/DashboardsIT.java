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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Recorded jobs through an agent, a broker and the service; a real Prometheus scrapes both programs,
/// evaluates the rules and executes every query of every dashboard. Needs Debian's prometheus.
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
          "late",
          "nccltests-shm",
          "netlocal",
          "p2pread",
          "pods1",
          "restarted",
          "shm");

  /// What they show, and what is made of the samples of one of them.
  private static final List<FindingKind> FOUND =
      List.of(
          FindingKind.EFA_FALLBACK,
          FindingKind.SOCKET_TRANSPORT,
          FindingKind.P2P_READ,
          FindingKind.SHM_FALLBACK,
          FindingKind.SPLIT_PLACEMENT,
          FindingKind.GDR_DISAGREEMENT,
          FindingKind.TRANSPORT_REGRESSION,
          FindingKind.NCCL_ERROR,
          FindingKind.STRAGGLER,
          FindingKind.LATE_START,
          FindingKind.HANG,
          FindingKind.STEP_REGRESSION,
          FindingKind.GPU_THROTTLED,
          FindingKind.GPU_ERROR,
          FindingKind.BANDWIDTH_BELOW_EXPECTED,
          FindingKind.TIMING_UNRELIABLE);

  @TempDir private Path folder;

  @Test
  void everyPanelShowsSomethingAndAlertsFire() throws Exception {
    Installed.program("prometheus");
    for (var recording : RECORDINGS) {
      Recordings.unpack(recording, folder.resolve("logs").resolve(recording));
    }
    // both seeds were of one job
    var p4d = folder.resolve("logs/seed-p4d-four-pods-efa");
    Files.move(p4d.resolve("llama-3-8b-node-0-0.log"), p4d.resolve("p4d-node-0-0.log"));
    try (var pipeline =
            LocalPipeline.start(new HttpConfig("127.0.0.1", 0), JudgeJobs.Pace.FLEET, null);
        var agent = Shipper.start(ConfigFile.read(null, settings(pipeline), _ -> null));
        var prometheus =
            Prometheus.start(
                pipeline.httpAddress().getPort(), agent.port().orElseThrow(), folder)) {
      prometheus.await("ALERTS{alertname=\"RingsideEfaFallback\",alertstate=\"firing\"}");
      prometheus.await("ALERTS{alertname=\"RingsideHang\",alertstate=\"firing\"}");
      prometheus.await("ALERTS{alertname=\"RingsideTransport\"}");
      prometheus.await("ALERTS{alertname=\"RingsideWatchdog\",alertstate=\"firing\"}");

      awaitFound(pipeline);
      var queries = DashboardsTest.queries();
      awaitAll(prometheus, queries);

      assertThat(queries).filteredOn(it -> empty(prometheus, it)).isEmpty();
      assertThat(prometheus.results("ringside_job_verdict{job=\"llama-c\"}"))
          .as("honor_labels keeps the training job's name")
          .isOne();
      assertThat(prometheus.labels("ringside_shipper_info", "node")).containsExactly("n1");
    }
  }

  private static void awaitFound(LocalPipeline pipeline) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (System.nanoTime() < deadline && !found(pipeline).containsAll(FOUND)) {
      Thread.sleep(500);
    }
    assertThat(found(pipeline)).containsAll(FOUND);
  }

  private static Set<FindingKind> found(LocalPipeline pipeline) {
    var kinds = new TreeSet<FindingKind>();
    pipeline.findings().forEach(finding -> kinds.add(finding.kind()));
    return kinds;
  }

  /// Gives up after a while: the assertion then names what stays empty.
  private static void awaitAll(Prometheus prometheus, List<DashboardsTest.Query> queries)
      throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(90).toNanos();
    while (System.nanoTime() < deadline && queries.stream().anyMatch(it -> empty(prometheus, it))) {
      Thread.sleep(500);
    }
  }

  private static boolean empty(Prometheus prometheus, DashboardsTest.Query query) {
    return !query.panel().equals("annotation")
        && prometheus.results(filled(query.expression())) == 0;
  }

  /// The variables as somebody would have set them who looks at everything.
  private static String filled(String expression) {
    return expression
        .replace("$cluster", ".*")
        .replace("$instance", ".*")
        .replace("job=\"$job\"", "job=~\".+\"")
        .replace("$node", "n1")
        .replace("$price", "4")
        .replace("$__rate_interval", "5s");
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
