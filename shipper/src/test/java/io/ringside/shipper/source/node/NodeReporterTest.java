package io.ringside.shipper.source.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.source.gpu.GpuSensorHealth;
import io.ringside.shipper.source.network.KernelCounters;
import io.ringside.shipper.source.network.NetworkRates;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class NodeReporterTest {
  private static final Instant START = Instant.parse("2026-11-20T08:00:00Z");
  private static final NodeReport.Logs LOGS = new NodeReport.Logs(8, 100, 0.5, 1_000, 0);
  private static final UnreachedWitness SILENT =
      new UnreachedWitness("kernel log", "may not read /dev/kmsg", false, 2, START, START);

  @Test
  void saysWhoItIsAndHowItsSourcesFare() {
    var report = reporter(_ -> {}).report();

    assertThat(report.node()).isEqualTo("n");
    assertThat(report.at()).isEqualTo(START);
    assertThat(report.interval()).isEqualTo(0.1);
    assertThat(report.agent())
        .isEqualTo(new NodeReport.Agent("1.2.3", START, List.of("logs", "gpus"), List.of("gpus")));
    assertThat(report.gpuSensor()).isEqualTo(GpuSensorHealth.off());
    assertThat(report.logs()).isEqualTo(LOGS);
    assertThat(report.network()).isEmpty();
    assertThat(report.unreached()).containsExactly(SILENT);
  }

  @Test
  void goesOnAfterAReportThatFailed() throws Exception {
    var reports = new LinkedBlockingQueue<NodeReport>();
    var failing = new boolean[] {true};
    try (var reporter =
        reporter(
            report -> {
              if (failing[0]) {
                failing[0] = false;
                throw new IllegalStateException("the first one fails");
              }
              reports.add(report);
            })) {
      reporter.start();
      assertThat(reports.poll(20, TimeUnit.SECONDS)).isNotNull();
      assertThat(reports.poll(20, TimeUnit.SECONDS)).isNotNull();
    }
  }

  private static NodeReporter reporter(Consumer<NodeReport> sink) {
    return new NodeReporter(
        "c",
        "n",
        "1.2.3",
        Duration.ofMillis(100),
        new NetworkRates(new KernelCounters(Path.of("/no/such/folder")), System::nanoTime),
        new NodeReporter.Parts(
            List.of("logs", "gpus"),
            () -> List.of("gpus"),
            GpuSensorHealth::off,
            () -> LOGS,
            List::of,
            () -> List.of(SILENT)),
        sink,
        () -> START,
        System::nanoTime);
  }
}
