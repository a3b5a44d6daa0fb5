package io.ringside.lab.simulate;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.NodeReport;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/// What the agent of one node says of itself while a run is on.
final class ReportTrace {
  private final JobPlan plan;
  private final NodeClock clock;
  private final int node;
  private final double trained;

  /// @param trained when the training began, seconds since the job's begin
  ReportTrace(JobPlan plan, NodeClock clock, int node, double trained) {
    this.plan = plan;
    this.clock = clock;
    this.node = node;
    this.trained = trained;
  }

  /// Sends reports from one moment to another, seconds since the job's begin.
  void send(double from, double to, Consumer<Sent> out) {
    for (double at = from; at < to; at += plan.agents().reportSeconds()) {
      long nanos = clock.nanos(at);
      out.accept(new Sent(nanos + 20_000_000, report(at, Nanos.instant(clock.shown(nanos)))));
    }
  }

  private NodeReport report(double at, Instant shown) {
    return new NodeReport(
        "eu-1",
        Layout.nodeName(plan, node),
        shown,
        plan.agents().reportSeconds(),
        new NodeReport.Agent(
            "0.2.0", Instant.parse("2026-11-20T00:00:00Z"), List.of("logs", "gpu"), List.of()),
        sensor(at),
        new NodeReport.Logs(plan.podsPerNode(), 0, 0, Math.round(100 * at), 0),
        List.of());
  }

  private GpuSensor sensor(double at) {
    double interval = Math.max(1, plan.agents().sampleSeconds());
    if (plan.agents().sampleSeconds() == 0) {
      return new GpuSensor(GpuSensor.State.OFF, null, interval, 0, 0, "");
    }
    double silent =
        plan.fault(TelemetryFault.SensorStall.class)
            .filter(stall -> stall.node() == node)
            .map(stall -> new double[] {at - trained - stall.fromSecond(), stall.seconds()})
            .filter(since -> since[0] >= 0 && since[0] < since[1])
            .map(since -> since[0])
            .orElse(-1.0);
    return silent >= 0
        ? new GpuSensor(
            silent > 3 * interval ? GpuSensor.State.STALLED : GpuSensor.State.OK,
            silent,
            interval,
            0,
            silent > 3 * interval ? 1 : 0,
            "")
        : new GpuSensor(GpuSensor.State.OK, 0.4 * interval, interval, 0, 0, "");
  }
}
