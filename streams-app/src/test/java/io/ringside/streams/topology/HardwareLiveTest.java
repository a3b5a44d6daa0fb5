package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.HardwareCounters.Kind;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.event.Severity;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.recorded.Lines;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Counters of ports and GPUs that agents report while a job lives, through the whole topology.
class HardwareLiveTest {
  private static final List<String> NODES = List.of("node-0", "node-1", "node-2", "node-3");
  private static final List<String> PORTS = List.of("mlx5_0/1", "mlx5_1/1");

  /// Four GPUs on node-0, one on each other.
  private static final int[] RANKS = {0, 1, 2, 3, 8, 16, 24};

  @TempDir private Path stateDir;
  private TopologyTestDriver driver;
  private TestInputTopic<String, LogChunk> logs;
  private TestInputTopic<String, NodeReport> reports;
  private Instant now = Lines.AT;

  /// Of each node's parts, by node, part and counter.
  private final Map<String, Map<String, Map<String, Long>>> counters = new TreeMap<>();

  @BeforeEach
  void start() {
    driver = TestTopics.driver(stateDir, Lines.AT);
    logs = TestTopics.input(driver, Topics.LOGS);
    reports = TestTopics.input(driver, Topics.NODE);
    for (int rank : RANKS) {
      var chunk = Lines.of(rank, false, Lines.start(rank, 32).toArray(String[]::new));
      logs.pipeInput(chunk.source().node(), chunk, now);
    }
    NODES.forEach(
        node -> PORTS.forEach(port -> part(node, port).putAll(Map.of("port_rcv_packets", 0L))));
    for (int gpu = 1; gpu <= 4; gpu++) {
      gpu(gpu, "nvlinks", 18);
      gpu(gpu, "nvlinks_inactive", 0);
      gpu(gpu, "nvlink_recoveries", 0);
      gpu(gpu, "nvlink_replays", 5);
      gpu(gpu, "pcie_gen", 5);
      gpu(gpu, "pcie_gen_max", 5);
      gpu(gpu, "pcie_width", 16);
      gpu(gpu, "pcie_width_max", 16);
      gpu(gpu, "busy", 98);
      gpu(gpu, "rows_pending", 0);
      gpu(gpu, "rows_failed", 0);
      gpu(gpu, "ecc_corrected", 0);
    }
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  @Test
  void isQuietAboutSmallConstantRates() {
    minutes(25);

    assertThat(found()).isEmpty();
  }

  @Test
  void namesThePortWhoseRetransmitsRise() {
    minutes(16);
    for (int i = 0; i < 3; i++) {
      more("node-2", "mlx5_1/1", "packet_seq_err", 900_000);
      minutes(1);
    }

    assertThat(found())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.NETWORK_ERRORS);
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.nodes()).containsExactly("node-2");
              assertThat(finding.ranks()).containsExactly(16);
              assertThat(finding.summary()).contains("mlx5_1/1", "node-2");
              assertThat(finding.evidence())
                  .hasSize(3)
                  .first()
                  .satisfies(
                      line -> {
                        assertThat(line.file()).isEqualTo("/sys/class/infiniband/mlx5_1/1");
                        assertThat(line.text()).contains("packet_seq_err +9000");
                      });
              assertThat(finding.tryNow()).isNotEmpty();
              assertThat(finding.runbook()).contains("RingsideNetworkErrors");
            });

    minutes(8);
    assertThat(found()).isEmpty();
  }

  @Test
  void notesAGpuThatIsAboutToGetTooHotUnlikeTheOthers() {
    for (int gpu = 1; gpu <= 4; gpu++) {
      gpu(gpu, "thermal_margin", 24);
    }
    minutes(12);
    gpu(3, "thermal_margin", 2);
    minutes(1);
    assertThat(found()).isEmpty();
    minutes(10);

    assertThat(found())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.GPU_THROTTLED);
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.ranks()).containsExactly(2);
              assertThat(finding.summary())
                  .contains("is 2 °C from where it slows down, the median of the others is 24 °C");
            });
  }

  @Test
  void blamesNoGpuForTheHeatOfAllOrOfOneThatIdles() {
    for (int gpu = 1; gpu <= 4; gpu++) {
      gpu(gpu, "thermal_margin", gpu == 3 ? -1 : 5);
    }
    minutes(12);
    assertThat(found()).isEmpty();

    for (int gpu = 1; gpu <= 4; gpu++) {
      gpu(gpu, "thermal_margin", gpu == 3 ? 1 : 40);
      gpu(gpu, "busy", gpu == 3 ? 10 : 98);
    }
    minutes(12);
    assertThat(found()).isEmpty();
  }

  @Test
  void tellsOfANodeThatLosesAnAdapterThatAllOthersHave() {
    minutes(3);
    assertThat(found()).isEmpty();
    of("node-2").remove("mlx5_1/1");
    minutes(6);

    assertThat(found())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.NIC_SHORTFALL);
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.nodes()).containsExactly("node-2");
              assertThat(finding.ranks()).containsExactly(16);
              assertThat(finding.summary())
                  .isEqualTo(
                      "node node-2 has 1 of the 2 network adapters for RDMA that each other node has");
              assertThat(finding.evidence().getFirst().text())
                  .isEqualTo("1 under /sys/class/infiniband: mlx5_0");
            });
  }

  @Test
  void tellsOfANodeWhoseGpusAreCountedAndThatHasNoAdapter() {
    of("node-0").keySet().removeIf(part -> part.startsWith("mlx5"));
    minutes(3);

    assertThat(found())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.nodes()).containsExactly("node-0");
              assertThat(finding.observed()).isEqualTo("0 under /sys/class/infiniband");
            });
  }

  @Test
  void tellsOfANodeWithFewerThanItsMachineHasWhateverTheOthersHave() {
    for (var node : NODES.subList(1, 4)) {
      of(node).clear();
    }
    TestTopics.input(driver, Topics.TOPOLOGY)
        .pipeInput(
            "node-0",
            new NodeTopology("east", "node-0", now, "p4d.24xlarge", "", List.of(), List.of()),
            now);
    minutes(3);

    assertThat(found())
        .extracting(Finding::summary)
        .containsExactly(
            "node node-0 has 2 of the 4 network adapters for RDMA that p4d.24xlarge has");
  }

  @Test
  void missesNoAdapterWhereNobodyCountsOrNodesDiffer() {
    of("node-1").clear();
    of("node-3").remove("mlx5_1/1");
    minutes(6);

    assertThat(found()).isEmpty();
  }

  @Test
  void tellsOfALinkThatWentDown() {
    minutes(3);
    more("node-1", "mlx5_0/1", "link_downed", 1);
    minutes(2);

    assertThat(found())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.NETWORK_ERRORS);
              assertThat(finding.nodes()).containsExactly("node-1");
            });
  }

  @Test
  void accusesNoMachineWhereMostLoseTheirLinks() {
    minutes(3);
    NODES.forEach(node -> more(node, "mlx5_0/1", "link_downed", 1));
    minutes(2);

    assertThat(found())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.nodes()).isEmpty();
              assertThat(finding.summary()).contains("4 of 4 nodes");
            });
  }

  @Test
  void accusesNobodyOfCountersThatBeginAnewOrGo() {
    more("node-2", "mlx5_1/1", "packet_seq_err", 900_000_000);
    more("node-2", "mlx5_1/1", "link_downed", 3);
    minutes(12);
    part("node-2", "mlx5_1/1").clear();
    minutes(2);
    part("node-2", "mlx5_1/1")
        .putAll(Map.of("port_rcv_packets", 0L, "link_downed", 0L, "packet_seq_err", 0L));
    minutes(3);
    part("node-2", "mlx5_1/1").replaceAll((_, value) -> value / 2);
    minutes(3);

    assertThat(found()).isEmpty();
  }

  @Test
  void tellsOfNvlinksThatAreDownAndThatRecover() {
    minutes(2);
    gpu(2, "nvlinks", 16);
    gpu(2, "nvlinks_inactive", 2);
    gpu(3, "nvlink_recoveries", 2);
    minutes(2);

    assertThat(found())
        .allSatisfy(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.LINK_DEGRADED);
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.nodes()).containsExactly("node-0");
            })
        .extracting(finding -> finding.gpus().getFirst())
        .containsExactlyInAnyOrder("0000:02:00.0", "0000:03:00.0");
  }

  @Test
  void accusesNoGpuOfWhatAllHave() {
    for (int gpu = 1; gpu <= 4; gpu++) {
      gpu(gpu, "nvlinks", 0);
      gpu(gpu, "nvlinks_inactive", 18);
      gpu(gpu, "pcie_gen", 4);
    }
    minutes(6);

    assertThat(found()).isEmpty();
  }

  @Test
  void accusesNoIdleGpuOfItsSlowPcie() {
    gpu(4, "pcie_gen", 1);
    gpu(4, "busy", 0);
    minutes(6);

    assertThat(found()).isEmpty();
  }

  @Test
  void tellsOfABusyGpuWhosePcieIsSlower() {
    gpu(4, "pcie_width", 8);
    minutes(4);

    assertThat(found())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.GPU_ERROR);
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.gpus()).containsExactly("0000:04:00.0");
              assertThat(finding.observed()).contains("8 lanes");
            });
  }

  @ParameterizedTest
  @CsvSource({"1, true", "2, false"}) // no slot of a machine of today has the first alone
  void tellsOfABusyGpuWhoseSlotOffersNoMore(int generation, boolean told) {
    gpu(4, "pcie_gen", generation);
    gpu(4, "pcie_gen_max", generation);
    minutes(4);

    assertThat(found())
        .hasSize(told ? 1 : 0)
        .allSatisfy(finding -> assertThat(finding.observed()).startsWith("generation 1, 16 lanes"));
  }

  @ParameterizedTest
  @CsvSource({"16, true", "8, false"}) // the second is another slot of fewer lanes
  void tellsOfFewerLanesThanAllOthersHaveWhereTheSlotIsUnknown(int another, boolean told) {
    for (int each = 0; each < 8; each++) {
      gpu(each, "pcie_width_max", 0);
    }
    gpu(2, "pcie_width", another);
    gpu(4, "pcie_width", 4);
    minutes(4);

    assertThat(found())
        .hasSize(told ? 1 : 0)
        .allSatisfy(finding -> assertThat(finding.gpus()).containsExactly("0000:04:00.0"));
  }

  @Test
  void weighsRowsAsNvidiaDoes() {
    gpu(1, "rows_pending", 1);
    gpu(2, "rows_failed", 1);
    minutes(2);

    assertThat(found())
        .extracting(finding -> finding.gpus().getFirst(), Finding::severity)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("0000:01:00.0", Severity.WARNING),
            org.assertj.core.groups.Tuple.tuple("0000:02:00.0", Severity.CRITICAL));
  }

  private Map<String, Long> part(String node, String name) {
    return counters
        .computeIfAbsent(node, _ -> new TreeMap<>())
        .computeIfAbsent(name, _ -> new HashMap<>());
  }

  private void gpu(int bus, String name, long value) {
    part("node-0", "0000:0%d:00.0".formatted(bus)).put(name, value);
  }

  private void more(String node, String port, String counter, long events) {
    part(node, port).merge(counter, events, Long::sum);
  }

  /// Each node reports once a minute; healthy ports retransmit a little all the time.
  private void minutes(int count) {
    for (int minute = 0; minute < count; minute++) {
      counters.forEach(
          (node, parts) -> {
            parts.forEach(
                (name, values) -> {
                  if (name.startsWith("mlx5") && !values.isEmpty()) {
                    values.merge("port_rcv_packets", 50_000_000L, Long::sum);
                    values.merge("packet_seq_err", 40L + node.hashCode() % 7, Long::sum);
                    values.putIfAbsent("link_downed", 0L);
                  }
                });
            reports.pipeInput(node, report(node, parts), now);
          });
      for (int second = 0; second < 60; second += 10) {
        driver.advanceWallClockTime(Duration.ofSeconds(10));
      }
      now = now.plusSeconds(60);
    }
  }

  private NodeReport report(String node, Map<String, Map<String, Long>> parts) {
    var hardware = new ArrayList<HardwareCounters>();
    parts.forEach(
        (name, values) -> {
          if (!values.isEmpty()) {
            hardware.add(
                new HardwareCounters(
                    name.startsWith("mlx5") ? Kind.PORT : Kind.GPU, name, Map.copyOf(values)));
          }
        });
    return new NodeReport(
        "east",
        node,
        now,
        60,
        new NodeReport.Agent("", Lines.AT, List.of(), List.of()),
        new GpuSensor(GpuSensor.State.OFF, null, 1, 0, 0, ""),
        new NodeReport.Logs(1, 0, 0, 0, 0),
        List.of(),
        hardware);
  }

  /// Active findings of the hardware.
  private List<Finding> found() {
    var found = new ArrayList<Finding>();
    try (var all = driver.<String, Finding>getKeyValueStore(Stores.FINDINGS).all()) {
      all.forEachRemaining(
          entry -> {
            var finding = entry.value;
            boolean hardware =
                switch (finding.kind()) {
                  case NETWORK_ERRORS, LINK_DEGRADED, GPU_ERROR, GPU_THROTTLED, NIC_SHORTFALL ->
                      true;
                  default -> false;
                };
            if (hardware && finding.state() == Finding.State.ACTIVE) {
              found.add(finding);
            }
          });
    }
    return found;
  }

  private Map<String, Map<String, Long>> of(String node) {
    return Objects.requireNonNull(counters.get(node));
  }
}
