package io.ringside.streams.node;

import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.JoinedNames;
import io.ringside.schemas.event.NodeReport;
import java.time.Instant;
import java.util.List;

/// What a node's agent said of itself last. All that is kept of a report for whoever looks at the
/// fleet of agents; what it means for a job is told to the job.
///
/// @param heardAt when it was heard, by the service's clock: nodes' clocks differ
/// @param intervalSeconds until the next report, as the agent said
/// @param stuck names of the sources whose loop has not moved for long
/// @param lagSeconds for how long not every line has been delivered
/// @param lagBytes how much has not been
/// @param leftBehindBytes of log files that were gone before they were read, since the agent
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

  /// The report in short.
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

  /// Names the agent among those of all clusters.
  public String key() {
    return JoinedNames.of(cluster, node);
  }
}
