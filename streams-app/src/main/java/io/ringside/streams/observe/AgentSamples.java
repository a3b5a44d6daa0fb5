package io.ringside.streams.observe;

import io.ringside.schemas.event.GpuSensor;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.node.Heartbeat;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;

/// Series about the fleet of agents: the number in each condition, the worst value of each measure,
/// and individual series only for agents in trouble. An agent that has been silent for long was
/// removed with its node and no longer counts.
final class AgentSamples {
  private static final Comparator<Agent> WORST_FIRST =
      Comparator.comparing(Agent::condition)
          .thenComparing(Agent::silence)
          .reversed()
          .thenComparing(agent -> agent.last().key());

  private AgentSamples() {}

  private record Agent(Heartbeat last, AgentCondition condition, Duration silence) {
    static Agent of(Heartbeat last, Instant now, Thresholds.Telemetry limit) {
      return new Agent(
          last, AgentCondition.of(last, now, limit), AgentCondition.silence(last, now));
    }

    boolean heard() {
      return condition != AgentCondition.SILENT;
    }
  }

  /// Adds the series.
  ///
  /// @param most most agents that are named
  /// @param retireAfter how long a silent agent counts
  /// @return number of agents in trouble that are not named
  static int add(
      Samples samples,
      List<Heartbeat> heartbeats,
      Instant now,
      Thresholds.Telemetry limit,
      int most,
      Duration retireAfter) {
    var agents =
        heartbeats.stream()
            .map(last -> Agent.of(last, now, limit))
            .filter(agent -> agent.silence().compareTo(retireAfter) < 0)
            .toList();
    count(samples, agents);
    worst(samples, agents.stream().filter(Agent::heard).map(Agent::last).toList());
    var unwell = agents.stream().filter(agent -> agent.condition() != AgentCondition.OK).toList();
    unwell.stream().sorted(WORST_FIRST).limit(most).forEach(agent -> name(samples, agent));
    return Math.max(0, unwell.size() - most);
  }

  /// Every state has a series, even if no agent is in it.
  private static void count(Samples samples, List<Agent> agents) {
    var conditions = new EnumMap<AgentCondition, Integer>(AgentCondition.class);
    var sensors = new EnumMap<GpuSensor.State, Integer>(GpuSensor.State.class);
    for (var agent : agents) {
      conditions.merge(agent.condition(), 1, Integer::sum);
      if (agent.heard()) {
        sensors.merge(agent.last().sensor().state(), 1, Integer::sum);
      }
    }
    for (var condition : AgentCondition.values()) {
      samples.put(Metric.AGENTS, conditions.getOrDefault(condition, 0), condition.label());
    }
    for (var state : GpuSensor.State.values()) {
      samples.put(Metric.AGENT_SENSORS, sensors.getOrDefault(state, 0), state.label());
    }
  }

  private static void worst(Samples samples, List<Heartbeat> heard) {
    heard.stream()
        .map(last -> last.sensor().ageSeconds())
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .max()
        .ifPresent(age -> samples.put(Metric.AGENTS_SENSOR_AGE, age));
    if (!heard.isEmpty()) {
      samples.put(
          Metric.AGENTS_LAG, heard.stream().mapToDouble(Heartbeat::lagSeconds).max().orElse(0));
      samples.put(Metric.AGENTS_LAG_BYTES, heard.stream().mapToLong(Heartbeat::lagBytes).sum());
      samples.put(
          Metric.AGENTS_LEFT_BEHIND, heard.stream().mapToLong(Heartbeat::leftBehindBytes).sum());
    }
  }

  private static void name(Samples samples, Agent agent) {
    var last = agent.last();
    samples.put(Metric.AGENT_TROUBLE, 1, last.cluster(), last.node(), agent.condition().label());
    samples.put(
        Metric.AGENT_REPORT_AGE, agent.silence().toMillis() / 1e3, last.cluster(), last.node());
    samples.put(Metric.AGENT_LAG, last.lagSeconds(), last.cluster(), last.node());
    var age = last.sensor().ageSeconds();
    if (age != null) {
      samples.put(Metric.AGENT_SENSOR_AGE, age, last.cluster(), last.node());
    }
  }
}
