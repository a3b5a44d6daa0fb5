package io.ringside.streams.node;

import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.NetworkInterface;
import io.ringside.schemas.event.NodeReport;
import io.ringside.streams.fact.GpuLink;
import io.ringside.streams.fact.NodeFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Compares each report of a node with the one before. Owned by one stream thread.
final class ReportComparison {
  /// Longest pause between two reports, in report intervals. After a longer one the rates do not
  /// show what happened in between.
  private static final int MOST_INTERVALS = 6;

  private @Nullable Instant at;
  private @Nullable Instant startedAt;
  private long leftBehindBytes;
  private final HardwareGains hardware = new HardwareGains();

  /// What the report adds to those before. Changes the state.
  NodeFacts next(NodeReport report) {
    double seconds = seconds(report);
    boolean restarted = !report.agent().startedAt().equals(startedAt);
    long before = restarted ? 0 : leftBehindBytes;
    // if the agent ran before the service, it is unknown when it left these bytes behind
    long left = startedAt == null ? 0 : Math.max(0, report.logs().leftBehindBytes() - before);
    at = report.at();
    startedAt = report.agent().startedAt();
    leftBehindBytes = report.logs().leftBehindBytes();
    return new NodeFacts(
        report.node(),
        report.at(),
        report.interval(),
        report.gpuSensor(),
        report.agent().stuck(),
        report.logs().lagSeconds(),
        report.logs().lagBytes(),
        left,
        seconds,
        bytes(report, seconds, false),
        bytes(report, seconds, true),
        hardware.ports(report.hardware()),
        report.unreached());
  }

  /// What the report states about GPUs' links, by bus id. Changes the state.
  Map<String, GpuLink> gpus(NodeReport report) {
    return hardware.gpus(report.hardware());
  }

  private double seconds(NodeReport report) {
    if (at == null || report.network().isEmpty()) {
      return 0; // an agent that sees no card counts nothing
    }
    double seconds = Nanos.seconds(Duration.between(at, report.at()).toNanos());
    return seconds > 0 && seconds <= MOST_INTERVALS * report.interval() ? seconds : 0;
  }

  private static long bytes(NodeReport report, double seconds, boolean ethernet) {
    double perSecond = 0;
    for (var card : report.network()) {
      if ((card.kind() == NetworkInterface.Kind.ETHERNET) == ethernet) {
        perSecond += card.receivedPerSecond() == null ? 0 : card.receivedPerSecond();
        perSecond += card.sentPerSecond() == null ? 0 : card.sentPerSecond();
      }
    }
    return Math.round(perSecond * seconds);
  }
}
