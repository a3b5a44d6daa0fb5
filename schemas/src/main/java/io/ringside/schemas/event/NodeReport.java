package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// The agent's report on its node every few seconds: the record of `ringside.node.v1`. It serves as
/// the node's heartbeat: it distinguishes silent logs from an absent agent.
///
/// @param at when the report was made, by the node's clock
/// @param interval seconds until the next report; a node is overdue after a few of them
/// @param network every interface that carries the node's traffic, EFA and InfiniBand first; empty
///     if the agent does not see them
/// @param hardware counters of errors and states of links, every minute or less often; empty in
///     between and if the agent does not read them
/// @param unreached configured witnesses that the agent does not reach; empty when all is well
public record NodeReport(
    String cluster,
    String node,
    Instant at,
    double interval,
    Agent agent,
    GpuSensor gpuSensor,
    Logs logs,
    List<NetworkInterface> network,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<HardwareCounters> hardware,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<UnreachedWitness> unreached)
    implements AgentEvent {

  /// A report without hardware counters.
  public NodeReport(
      String cluster,
      String node,
      Instant at,
      double interval,
      Agent agent,
      GpuSensor gpuSensor,
      Logs logs,
      List<NetworkInterface> network) {
    this(cluster, node, at, interval, agent, gpuSensor, logs, network, List.of());
  }

  /// A report of an agent that reaches all its witnesses.
  public NodeReport(
      String cluster,
      String node,
      Instant at,
      double interval,
      Agent agent,
      GpuSensor gpuSensor,
      Logs logs,
      List<NetworkInterface> network,
      List<HardwareCounters> hardware) {
    this(cluster, node, at, interval, agent, gpuSensor, logs, network, hardware, List.of());
  }

  public NodeReport {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(agent, "agent");
    Objects.requireNonNull(gpuSensor, "gpuSensor");
    Objects.requireNonNull(logs, "logs");
    network = List.copyOf(network);
    // missing in reports of older agents
    hardware = hardware == null ? List.of() : List.copyOf(hardware);
    unreached = unreached == null ? List.of() : List.copyOf(unreached);
  }

  /// The program that reports. A later `startedAt` means that it was restarted.
  ///
  /// @param stuck names of the sources whose loops have not moved for long; empty when all is well
  public record Agent(String version, Instant startedAt, List<String> sources, List<String> stuck) {
    public Agent {
      Objects.requireNonNull(version, "version");
      Objects.requireNonNull(startedAt, "startedAt");
      sources = List.copyOf(sources);
      stuck = List.copyOf(stuck);
    }
  }

  /// The state of log tailing.
  ///
  /// @param files number of files followed now
  /// @param lagBytes bytes written to them and not yet acknowledged by the broker
  /// @param lagSeconds how long the lag has not been zero
  /// @param lines number put into chunks since the agent started
  /// @param leftBehindBytes bytes gone before they were read, since the agent started
  public record Logs(
      int files, long lagBytes, double lagSeconds, long lines, long leftBehindBytes) {}
}
