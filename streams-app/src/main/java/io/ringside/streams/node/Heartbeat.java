package io.ringside.streams.node;

import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.JoinedNames;
import io.ringside.schemas.event.NodeReport;
import java.time.Instant;
import java.util.List;

/// The last report of a node's agent about itself. Only this part of a report is kept for the
/// overview of agents; what the report means for a job goes to the job.
///
/// @param heardAt when the service received it, by the service's clock: nodes' clocks differ
/// @param intervalSeconds seconds until the next report, as the agent states
/// @param stuck names of the sources whose loop has not moved for long
/// @param lagSeconds for how many seconds some lines have been undelivered
/// @param lagBytes bytes not yet delivered
/// @param leftBehindBytes bytes of log files that were gone before they were read, since the agent
///   started
public record Heartbeat(
    String cluster,
    String node,
    Instant heardAt,
    double intervalSeconds,
    GpuSensor sensor,
    List<String> stuck,
    double lagSeconds,
    long lagBytes,
    long leftBehindBytes) {

  public Heartbeat {
    stuck = List.copyOf(stuck);
  }

  /// Shortens a report to a heartbeat.
  public static Heartbeat of(NodeReport report, Instant heardAt) {
    return new Heartbeat(
        report.cluster(),
        report.node(),
        heardAt,
        report.interval(),
        report.gpuSensor(),
        report.agent().stuck(),
        report.logs().lagSeconds(),
        report.logs().lagBytes(),
        report.logs().leftBehindBytes());
  }

  /// Identifies the agent among those of all clusters.
  public String key() {
    return JoinedNames.of(cluster, node);
  }
}
