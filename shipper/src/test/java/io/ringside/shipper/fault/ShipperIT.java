package io.ringside.shipper.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NetworkInterface;
import io.ringside.schemas.topic.Topics;
import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ShipperConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShipperIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// Answers as driver 580 does on two GPUs.
  private static final String NVIDIA_SMI =
      """
      #!/bin/sh
      case "$*" in
        --help-query-gpu) exit 3;;
        'topo -m') printf '\\tGPU0\\tGPU1\\tCPU Affinity\\nGPU0\\t X \\tNV18\\t0-63\\nGPU1\\tNV18\\t X \\t0-63\\n';;
        *noheader) echo '0, 00000000:00:06.0, GPU-a, 580.159.04, NVIDIA H200'
                   echo '1, 00000000:00:07.0, GPU-b, 580.159.04, NVIDIA H200';;
        *) echo 'timestamp, index, pci.bus_id'
           while sleep 0.2; do
             printf '%s\\n' '2026/11/20 20:27:26.054, 0, 00000000:00:06.0' \\
               '2026/11/20 20:27:26.068, 1, 00000000:00:07.0'
           done;;
      esac
      """;

  @TempDir private Path data;
  @TempDir private Path folder;

  @Test
  void shipsLogsSamplesAndTopologyAndTellsHowItIs() throws Exception {
    Path smi = Files.writeString(folder.resolve("nvidia-smi"), NVIDIA_SMI);
    Files.setPosixFilePermissions(smi, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (var broker = new TestBroker(data);
        var writer = new NumberedWriter(folder.resolve("llama-node-0-0.log"));
        var shipper =
            Shipper.start(ShipperConfig.read(null, settings(broker, smi), System::getenv))) {
      writer.write(1_000);
      try (var audit = new Audit(broker.address()).readUntil(1_000, PATIENCE)) {
        assertThat(audit.lostOf(1_000)).isZero();
      }
      var topology =
          Audit.records(broker.address(), Topics.TOPOLOGY, all -> !all.isEmpty(), PATIENCE);
      assertThat(topology.getFirst().link(0, 1)).contains("NV18");
      assertThat(topology.getFirst().driver()).isEqualTo("580.159.04");
      assertThat(topology.getFirst().gpus().getLast().busId()).isEqualTo("0000:00:07.0");
      var samples = Audit.records(broker.address(), Topics.GPU, all -> all.size() >= 2, PATIENCE);
      assertThat(samples.getFirst().gpus()).hasSize(2);
      var chunks = Audit.records(broker.address(), Topics.LOGS, all -> !all.isEmpty(), PATIENCE);
      assertThat(chunks.getFirst())
          .extracting(LogChunk::lines, LogChunk::sequence)
          .containsExactly(0, 0L);
      assertThat(chunks.getFirst().source().job()).isEqualTo("llama");

      var reports =
          Audit.records(
              broker.address(),
              Topics.NODE,
              all ->
                  !all.isEmpty()
                      && all.getLast().gpuSensor().state() == GpuSensor.State.OK
                      && all.getLast().logs().lines() >= 1_000,
              PATIENCE);
      assertThat(reports.getLast().agent().sources()).containsExactly("logs", "gpus", "topology");
      assertThat(reports.getLast().logs().lines()).isEqualTo(1_000);
      assertThat(reports.getLast().network())
          .extracting(NetworkInterface::name, NetworkInterface::receivedBytes)
          .containsExactly(tuple("eth0", 7L));

      int port = shipper.port().orElseThrow();
      assertThat(get(port, "/healthz").body()).isEqualTo("ok");
      assertThat(get(port, "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(port, "/metrics").body())
          .contains("ringside_shipper_lines_total{cluster=\"\",node=\"n1\"} 1000.0")
          .contains("ringside_shipper_files{cluster=\"\",node=\"n1\"} 1.0")
          .contains("ringside_shipper_gpu_samples_total")
          .contains("ringside_shipper_gpu_unreadable{cluster=\"\",gpu=\"0000:00:07.0\"")
          .contains("ringside_shipper_info{")
          .containsPattern("ringside_shipper_gpu_sample_age_seconds\\{[^}]*} [0-9.]+");
    }
  }

  private Map<String, String> settings(TestBroker broker, Path smi) throws IOException {
    Path eth0 = Files.createDirectories(folder.resolve("sys/class/net/eth0/statistics"));
    Files.writeString(eth0.resolve("rx_bytes"), "7\n");
    Files.writeString(eth0.resolve("tx_bytes"), "8\n");
    return Map.of(
        "report.interval",
        "200ms",
        "report.sysfs",
        folder + "/sys",
        "node",
        "n1",
        "kafka.bootstrap.servers",
        broker.address(),
        "logs.globs",
        folder + "/*.log",
        "logs.checkpoints",
        folder + "/state/c.json",
        "gpu.command",
        smi.toString(),
        "gpu.interval",
        "200ms",
        "http.host",
        "127.0.0.1",
        "http.port",
        "0");
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
