package io.ringside.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.standalone.pipeline.LocalPipeline;
import io.ringside.streams.config.HttpConfig;
import io.ringside.streams.topology.ServicePace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What witnesses leave in folders, from an agent over a broker to the service: it finds what
/// `analyze` finds beside the logs.
@Timeout(180)
class WitnessFilesIT {
  private static final Path RECORDED = Path.of("..", "examples", "witnesses", "pipeline");
  private static final Path PODS = RECORDED.resolve("pods");
  private static final String COMM = "0x2a05a66d3f85a1";
  private static final long BEGAN_MICROS = 1_795_414_600_000_000L;

  @TempDir private Path folder;

  /// Without the dumps the log's last lines alone tell of this hang.
  @Test
  void dumpsNameWhoHoldsUpTheOthers() throws Exception {
    var own = Files.createDirectories(folder.resolve("fr").resolve(pod()));
    try (var pipeline = pipeline();
        var _ = agent(pipeline)) {
      awaitRun(pipeline);

      for (int rank = 0; rank < 2; rank++) {
        var name = "nccl_trace_rank_" + rank;
        Files.copy(RECORDED.resolve("flightrecorder").resolve(name), own.resolve(name));
      }
      var hang = finding(pipeline, FindingKind.HANG, analyzed(RECORDED));

      assertThat(hang.evidence())
          .extracting(it -> it.file())
          .anyMatch(file -> file.startsWith(own.resolve("nccl_trace_rank_").toString()));
    }
  }

  /// Written on while they are read; nothing is taken for a log.
  @Test
  void theInspectorNamesTheRankWithTheShortestTime() throws Exception {
    var own = Files.createDirectories(folder.resolve("inspector").resolve(pod()));
    try (var pipeline = pipeline();
        var _ = agent(pipeline)) {
      write(own, 0, 15);
      awaitRun(pipeline);
      write(own, 15, 400);
      copyLogs();
      var straggler = finding(pipeline, FindingKind.STRAGGLER, analyzed(folder));

      assertThat(straggler.ranks()).containsExactly(1);
      assertThat(straggler.witnesses()).extracting(Finding.Witness::name).contains("inspector");
      assertThat(pipeline.look().runs())
          .singleElement()
          .satisfies(run -> assertThat(run.nranks()).isEqualTo(2));
    }
  }

  /// While the job trains, calls of both ranks begin to take four times as long.
  @Test
  void aGroupThatBecomesSlowIsTold() throws Exception {
    var own = Files.createDirectories(folder.resolve("inspector").resolve(pod()));
    try (var pipeline = pipeline();
        var _ = agent(pipeline)) {
      writeCalls(own, 0, 200, 45);
      awaitRun(pipeline);
      writeCalls(own, 200, 300, 11);
      copyLogs();
      var slow = finding(pipeline, FindingKind.BANDWIDTH_BELOW_EXPECTED, analyzed(folder));

      assertThat(slow.ranks()).containsExactly(0, 1);
      assertThat(slow.summary())
          .isEqualTo("AllReduce among ranks 0, 1 fell from 45.0 to 11.0 GB/s");
    }
  }

  private static void writeCalls(Path folder, int from, int to, double gbps) throws IOException {
    for (int rank = 0; rank < 2; rank++) {
      var lines = new StringBuilder();
      for (int round = 4 * from; round < 4 * to; round++) {
        lines.append(
            """
            {"header":{"id":"%s","comm_name":"unknown","rank":%d,"n_ranks":2,"nnodes":1},"metadata":{"dump_timestamp_us":%d},\
            "coll_perf":{"coll":"AllReduce","coll_sn":%d,"coll_msg_size_bytes":33554432,"coll_exec_time_us":900,"coll_timing_source":"kernel_gpu","coll_busbw_gbs":%s}}
            """
                .formatted(COMM, rank, BEGAN_MICROS + round * 250_000L, round, gbps));
      }
      Files.writeString(
          folder.resolve("host-pid%d.log".formatted(rank)),
          lines,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }

  private static void write(Path folder, int from, int to) throws IOException {
    for (int rank = 0; rank < 2; rank++) {
      var lines = new StringBuilder();
      for (int round = from; round < to; round++) {
        lines.append(
            """
            {"header":{"id":"%s","comm_name":"unknown","rank":%d,"n_ranks":2,"nnodes":1},"metadata":{"dump_timestamp_us":%d},\
            "coll_perf":{"coll":"AllReduce","coll_sn":%d,"coll_msg_size_bytes":4096,"coll_exec_time_us":%d}}
            """
                .formatted(
                    COMM,
                    rank,
                    BEGAN_MICROS + round * 1_000_000L,
                    round,
                    rank == 0 ? 500_000 : 900));
      }
      Files.writeString(
          folder.resolve("host-pid%d.log".formatted(rank)),
          lines,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }

  private void copyLogs() throws IOException {
    try (var files = Files.walk(PODS)) {
      for (var file : files.toList()) {
        Files.copy(file, folder.resolve("pods").resolve(PODS.relativize(file).toString()));
      }
    }
  }

  private static String analyzed(Path folder) {
    var captured = new CapturedConsole();
    RingsideMain.execute(captured.console(), Map.of(), "analyze", folder.toString());
    return captured.out();
  }

  private static String pod() throws IOException {
    try (var files = Files.list(PODS)) {
      return files.findFirst().orElseThrow().getFileName().toString();
    }
  }

  private static LocalPipeline pipeline() {
    return LocalPipeline.start(new HttpConfig("127.0.0.1", 0), ServicePace.FLEET, null);
  }

  private Shipper agent(LocalPipeline pipeline) throws IOException {
    var settings =
        Map.ofEntries(
            Map.entry("node", "gpu-node-0"),
            Map.entry("kafka.bootstrap.servers", pipeline.bootstrapServers()),
            Map.entry("logs.globs", PODS + "/*/*/*.log.gz"),
            Map.entry("logs.checkpoints", folder.resolve("checkpoints.json").toString()),
            Map.entry("gpu.enabled", "false"),
            Map.entry("report.enabled", "false"),
            Map.entry("http.enabled", "false"),
            Map.entry("witnesses.dumps.enabled", "true"),
            Map.entry("witnesses.dumps.settled", "1s"),
            Map.entry("witnesses.dumps.globs", folder + "/fr/*/nccl_trace_rank_*"),
            Map.entry("witnesses.inspector.enabled", "true"),
            Map.entry("witnesses.inspector.globs", folder + "/inspector/*/*.log"));
    return Shipper.start(ShipperConfig.read(null, settings, _ -> null));
  }

  private static void awaitRun(LocalPipeline pipeline) {
    while (pipeline.look().runs().stream().noneMatch(run -> run.nranks() == 2)) {
      Thread.onSpinWait();
    }
  }

  /// Waits until the service says what `analyze` said.
  private static Finding finding(LocalPipeline pipeline, FindingKind kind, String analyzed) {
    while (true) {
      for (var finding : pipeline.look().findings()) {
        if (finding.kind() == kind && analyzed.contains(finding.summary())) {
          return finding;
        }
      }
      Thread.onSpinWait();
    }
  }
}
