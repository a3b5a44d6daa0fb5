package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// What the agent says of its node every few seconds: the record of `ringside.node.v1`. Its coming
/// is the node's heartbeat, so that silence of the logs and absence of the agent can be told apart.
///
/// @param at when it was made, by the node's clock
/// @param interval seconds to the next one; a node is overdue after some of them
/// @param network every interface that carries the node's traffic, EFA and InfiniBand first; empty
///     where the agent does not see them
/// @param hardware counters of errors and states of links, each minute or less often; empty in
///     between and where the agent does not ask
/// @param unreached witnesses that the agent is to ask and does not reach; empty when all is well
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
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Unreached> unreached)
    implements AgentEvent {

  /// One without counters of the hardware.
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

  /// One of an agent that reaches whatever it asks.
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
    // agents of before know neither
    hardware = hardware == null ? List.of() : List.copyOf(hardware);
    unreached = unreached == null ? List.of() : List.copyOf(unreached);
  }

  /// The program that reports. A later `startedAt` means that it was restarted.
  ///
  /// @param stuck names of the sources whose loop has not moved for long; empty when all is well
  public record Agent(String version, Instant startedAt, List<String> sources, List<String> stuck) {
    public Agent {
      Objects.requireNonNull(version, "version");
      Objects.requireNonNull(startedAt, "startedAt");
      sources = List.copyOf(sources);
      stuck = List.copyOf(stuck);
    }
  }

  /// How the tailing goes.
  ///
  /// @param files followed now
  /// @param lagBytes written to them and not yet acknowledged by the broker
  /// @param lagSeconds for how long not everything has been acknowledged
  /// @param lines put into chunks since the agent started
  /// @param leftBehindBytes gone before they were read, since the agent started
  public record Logs(
      int files, long lagBytes, double lagSeconds, long lines, long leftBehindBytes) {}
}
