package io.ringside.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.standalone.pipeline.LocalPipeline;
import io.ringside.streams.config.HttpConfig;
import io.ringside.streams.topology.JudgeJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A recorded hang whose culprit only the dumps know, from an agent over a broker to the service.
@Timeout(180)
class DumpsIT {
  private static final Path RECORDED = Path.of("..", "examples", "witnesses", "pipeline");

  @TempDir private Path folder;

  @Test
  void theServiceFindsWhatAnalyzeFinds() throws Exception {
    var pods = RECORDED.resolve("pods");
    try (var pipeline =
            LocalPipeline.start(new HttpConfig("127.0.0.1", 0), JudgeJobs.Pace.FLEET, null);
        var _ = Shipper.start(ShipperConfig.read(null, settings(pipeline, pods), _ -> null))) {
      while (pipeline.runs().stream().noneMatch(run -> run.nranks() == 2)) {
        Thread.onSpinWait();
      }
      assertThat(pipeline.findings()).extracting(Finding::kind).doesNotContain(FindingKind.HANG);

      var dumps = folder.resolve(pod(pods));
      Files.createDirectories(dumps);
      for (int rank = 0; rank < 2; rank++) {
        var name = "nccl_trace_rank_" + rank;
        Files.copy(RECORDED.resolve("flightrecorder").resolve(name), dumps.resolve(name));
      }
      var hang = hang(pipeline);

      assertThat(analyzed()).contains(hang.summary());
      assertThat(hang.evidence())
          .extracting(it -> it.file())
          .containsOnly(dumps.resolve("nccl_trace_rank_1").toString());
    }
  }

  private static String analyzed() {
    var captured = new CapturedConsole();
    RingsideMain.execute(captured.console(), Map.of(), "analyze", RECORDED.toString());
    return captured.out();
  }

  private static String pod(Path pods) throws IOException {
    try (var files = Files.list(pods)) {
      return files.findFirst().orElseThrow().getFileName().toString();
    }
  }

  private Map<String, String> settings(LocalPipeline pipeline, Path pods) {
    return Map.ofEntries(
        Map.entry("node", "gpu-node-0"),
        Map.entry("kafka.bootstrap.servers", pipeline.bootstrapServers()),
        Map.entry("logs.globs", pods + "/*/*/*.log.gz"),
        Map.entry("logs.checkpoints", folder.resolve("checkpoints.json").toString()),
        Map.entry("gpu.enabled", "false"),
        Map.entry("report.enabled", "false"),
        Map.entry("http.enabled", "false"),
        Map.entry("witnesses.dumps.enabled", "true"),
        Map.entry("witnesses.dumps.settled", "1s"),
        Map.entry("witnesses.dumps.globs", folder + "/*/nccl_trace_rank_*"));
  }

  private static Finding hang(LocalPipeline pipeline) {
    while (true) {
      for (var finding : pipeline.findings()) {
        if (finding.kind() == FindingKind.HANG && finding.ranks().contains(1)) {
          return finding;
        }
      }
      Thread.onSpinWait();
    }
  }
}
