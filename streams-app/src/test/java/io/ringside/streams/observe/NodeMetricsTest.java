package io.ringside.streams.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.config.MetricsConfig;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.suspect.Blame;
import io.ringside.streams.judge.suspect.NodeMemory;
import io.ringside.streams.node.Heartbeat;
import io.ringside.streams.publish.ViewsUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeMetricsTest {
  private static final MetricsConfig BOUNDS = new MetricsConfig(9, 3, 2, 32, Duration.ofHours(1));
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

  @Test
  void countsAgentsByHowTheyFareAndNamesThoseThatAreNotWell() {
    var text =
        scrape(
            List.of(),
            List.of(
                agent("well", 2, GpuSensor.State.OK, 1.0, 0.2),
                agent("without-gpus", 2, GpuSensor.State.MISSING, null, 0),
                agent("hangs", 2, GpuSensor.State.STALLED, 40.0, 0),
                agent("late", 2, GpuSensor.State.OK, 3.0, 0),
                agent("silent", 70, GpuSensor.State.OK, 1.0, 0)));

    assertThat(text)
        .contains("ringside_agents{state=\"ok\"} 2.0")
        .contains("ringside_agents{state=\"sensor\"} 2.0")
        .contains("ringside_agents{state=\"behind\"} 0.0")
        .contains("ringside_agents{state=\"stuck\"} 0.0")
        .contains("ringside_agents{state=\"silent\"} 1.0")
        .contains("ringside_agents_gpu_sensors{state=\"ok\"} 2.0")
        .contains("ringside_agents_gpu_sensors{state=\"stalled\"} 1.0")
        .contains("ringside_agents_gpu_sensors{state=\"missing\"} 1.0")
        .contains("ringside_agents_gpu_sensor_age_max_seconds 40.0")
        .contains("ringside_agents_log_lag_max_seconds 0.2")
        .contains("ringside_agents_log_lag_bytes 20.0")
        .contains("ringside_agent_trouble{cluster=\"east\",node=\"hangs\",state=\"sensor\"} 1.0")
        .contains("ringside_agent_trouble{cluster=\"east\",node=\"silent\",state=\"silent\"} 1.0")
        .contains("ringside_agent_report_age_seconds{cluster=\"east\",node=\"silent\"} 70.0")
        .contains("ringside_agent_gpu_sensor_age_seconds{cluster=\"east\",node=\"late\"} 3.0")
        .contains("ringside_nodes_folded{what=\"agents\"} 0.0")
        .doesNotContain("node=\"well\"");
  }

  @Test
  void callsAnAgentByItsWorstTrouble() {
    var stuck =
        new Heartbeat(
            "east",
            "n",
            NOW,
            5,
            new GpuSensor(GpuSensor.State.STALLED, 99.0, 1, 0, 1, ""),
            List.of("logs"),
            300,
            10,
            7);

    assertThat(scrape(List.of(), List.of(stuck)))
        .contains("ringside_agents{state=\"stuck\"} 1.0")
        .contains("ringside_agents{state=\"behind\"} 0.0")
        .contains("ringside_agents_left_behind_bytes 7.0")
        .contains("ringside_agent_log_lag_seconds{cluster=\"east\",node=\"n\"} 300.0");
    assertThat(scrape(List.of(), List.of(agent("b", 1, GpuSensor.State.OK, 1.0, 60))))
        .contains("ringside_agents{state=\"behind\"} 1.0");
  }

  @Test
  void namesTheWorstOnlyAndCountsTheRest() {
    var agents = new ArrayList<Heartbeat>();
    for (int i = 0; i < 500; i++) {
      agents.add(agent("hangs-" + i, 2, GpuSensor.State.STALLED, 40.0, 0));
    }
    agents.add(agent("silent", 600, GpuSensor.State.OK, 1.0, 0));

    var text = scrape(List.of(), agents);

    assertThat(text.lines().filter(it -> it.startsWith("ringside_agent_trouble{"))).hasSize(3);
    assertThat(text)
        .contains("ringside_agents{state=\"sensor\"} 500.0")
        .contains("ringside_agent_trouble{cluster=\"east\",node=\"silent\",state=\"silent\"} 1.0")
        .contains("ringside_nodes_folded{what=\"agents\"} 498.0");
  }

  @Test
  void forgetsAnAgentThatWasTakenAwayWithItsNode() {
    assertThat(scrape(List.of(), List.of(agent("gone", 3_601, GpuSensor.State.OK, 1.0, 0))))
        .contains("ringside_agents{state=\"silent\"} 0.0")
        .doesNotContain("gone");
  }

  @Test
  void takesAClockThatWentBackForNoSilence() {
    assertThat(scrape(List.of(), List.of(agent("ahead", -500, GpuSensor.State.OK, 1.0, 0))))
        .contains("ringside_agents{state=\"ok\"} 1.0");
  }

  @Test
  void namesSuspectNodesTheWorstFirstAndCountsTheRest() {
    var nodes = new ArrayList<NodeMemory>();
    nodes.add(blamed("once", 1));
    for (int i = 0; i < 5; i++) {
      nodes.add(blamed("twice-" + i, 2));
    }
    nodes.add(blamed("often", 4));

    var text = scrape(nodes, List.of());

    assertThat(text)
        .contains("ringside_nodes_blamed 7.0")
        .contains("ringside_node_suspect{cluster=\"east\",node=\"often\"} 4.0")
        .contains("ringside_nodes_folded{what=\"suspects\"} 3.0")
        .doesNotContain("once");
    assertThat(text.lines().filter(it -> it.startsWith("ringside_node_suspect{"))).hasSize(3);
  }

  @Test
  void saysNothingWhileTheStoresMove() {
    var metrics =
        new NodeMetrics(
            () -> {
              throw new ViewsUnavailable("moving", new IllegalStateException());
            },
            List::of,
            Expectations::builtIn,
            BOUNDS,
            InstantSource.fixed(NOW));

    try (var app = new AppMetrics(List.of(metrics))) {
      assertThat(app.registry().scrape()).doesNotContain("ringside_nodes").contains("jvm_");
    }
  }

  private static NodeMemory blamed(String node, int runs) {
    var memory = NodeMemory.of("east", node);
    for (int run = 0; run < runs; run++) {
      memory =
          memory.with(
              new Blame(
                  "east",
                  node,
                  "training",
                  "llama",
                  "0x" + run,
                  "f" + run,
                  FindingKind.STRAGGLER,
                  Severity.WARNING,
                  List.of(),
                  List.of(),
                  NOW,
                  false),
              8);
    }
    return memory;
  }

  private static Heartbeat agent(
      String node,
      long silentSeconds,
      GpuSensor.State state,
      @Nullable Double sensorAge,
      double lag) {
    return new Heartbeat(
        "east",
        node,
        NOW.minusSeconds(silentSeconds),
        5,
        new GpuSensor(state, sensorAge, 1, 0, 0, ""),
        List.of(),
        lag,
        Math.round(lag * 100),
        0);
  }

  private static String scrape(List<NodeMemory> nodes, List<Heartbeat> agents) {
    var metrics =
        new NodeMetrics(
            () -> nodes, () -> agents, Expectations::builtIn, BOUNDS, InstantSource.fixed(NOW));
    try (var app = new AppMetrics(List.of(metrics))) {
      return app.registry().scrape();
    }
  }
}
