package io.ringside.shipper.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.NetworkInterface;
import io.ringside.schemas.event.NodeReport;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeGaugesTest {
  private static final String FIRST =
      "cluster=\"east\",gpu=\"0000:0b:00.0\",index=\"0\",node=\"n1\",uuid=\"GPU-1\"";

  private final ShipperMetrics metrics = new ShipperMetrics("east", "n1");

  @Test
  void showsWhatTheDriverTellsAndNothingElse() {
    metrics.node().take(sample(new Reading("0000:0b:00.0", 640.0, 0x4L)));

    assertThat(metrics.scrape())
        .contains("ringside_shipper_gpu_power_watts{" + FIRST + "} 640.0")
        .contains("ringside_shipper_gpu_clock_hertz{" + FIRST + "} 1.98E9")
        .contains("ringside_shipper_gpu_utilization_ratio{" + FIRST + "} 0.99")
        .contains("ringside_shipper_gpu_throttled{" + FIRST + "} 0.0")
        .doesNotContain("ringside_shipper_gpu_temperature_celsius{");
  }

  @Test
  void saysThatHeatHoldsTheClockDown() {
    metrics.node().take(sample(new Reading("0000:0b:00.0", null, 0x4L | 0x40L)));

    assertThat(metrics.scrape())
        .contains("ringside_shipper_gpu_throttled{" + FIRST + "} 1.0")
        .doesNotContain("ringside_shipper_gpu_power_watts{");
  }

  @Test
  void forgetsAGpuThatVanished() {
    metrics
        .node()
        .take(
            sample(new Reading("0000:0b:00.0", 640.0, 0L), new Reading("0000:0c:00.0", 640.0, 0L)));
    assertThat(metrics.scrape()).contains("0000:0c:00.0");

    metrics.node().take(sample(new Reading("0000:0b:00.0", 640.0, 0L)));

    assertThat(metrics.scrape()).contains("0000:0b:00.0").doesNotContain("0000:0c:00.0");
  }

  @Test
  void countsTheBytesOfAnInterfaceUntilItIsGone() {
    metrics.node().take(report(card("eth0", 0, 7, 8), card("mlx5_0", 1, 70, 80)));
    metrics.node().take(report(card("eth0", 0, 17, 18), card("mlx5_0", 1, 70, 80)));

    assertThat(metrics.scrape())
        .contains(
            "# TYPE ringside_shipper_network_received_bytes_total counter",
            "ringside_shipper_network_received_bytes_total{cluster=\"east\",interface=\"eth0\",kind=\"ethernet\",node=\"n1\"} 17.0",
            "ringside_shipper_network_sent_bytes_total{cluster=\"east\",interface=\"mlx5_0:1\",kind=\"ethernet\",node=\"n1\"} 80.0");

    metrics.node().take(report(card("eth0", 0, 17, 18)));

    assertThat(metrics.scrape()).contains("\"eth0\"").doesNotContain("mlx5_0");
  }

  @Test
  void saysOfEverySeriesWhereItIsFrom() {
    metrics.node().take(sample(new Reading("0000:0b:00.0", 640.0, 0L)));
    metrics.node().take(report(card("eth0", 0, 7, 8)));

    assertThat(metrics.scrape().lines().filter(line -> !line.startsWith("#")))
        .isNotEmpty()
        .allMatch(line -> line.contains("cluster=\"east\"") && line.contains("node=\"n1\""));
  }

  private static NetworkInterface card(String name, int port, long received, long sent) {
    return new NetworkInterface(
        name, port, NetworkInterface.Kind.ETHERNET, received, sent, null, null);
  }

  private static NodeReport report(NetworkInterface... cards) {
    return new NodeReport(
        "east",
        "n1",
        Instant.EPOCH,
        5,
        new NodeReport.Agent("", Instant.EPOCH, List.of(), List.of()),
        new GpuSensor(GpuSensor.State.OFF, null, 1, 0, 0, ""),
        new NodeReport.Logs(0, 0, 0, 0, 0),
        List.of(cards));
  }

  private static GpuSample sample(Reading... readings) {
    return new GpuSample(
        "east",
        "n1",
        Instant.parse("2026-11-20T10:00:00Z"),
        List.of(readings).stream().map(Reading::reading).toList());
  }

  private record Reading(String busId, @Nullable Double watts, long reasons) {
    GpuReading reading() {
      return new GpuReading(
          0, busId, "GPU-1", "H200", 99.0, 1.0, 2.0, watts, 700.0, null, 1_980.0, 1_980.0, reasons,
          0L, null, null);
    }
  }
}
