package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.recorded.Lines;
import io.ringside.streams.state.WriteBehindStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Machines come and go, in a cloud under new names: what is kept of those that left ends.
class NodesThatLeftTest {
  @TempDir private Path folder;

  @Test
  void forgetTheirState() {
    try (var driver = driver()) {
      for (int node = 0; node < 50; node++) {
        sample(driver, "node-" + node);
        line(driver, node);
      }
      WriteBehindStore<NodeState> nodes = nodes(driver);
      assertThat(nodes.keys()).hasSize(50);
      assertThat(samples(driver)).isEqualTo(50);

      for (int hour = 0; hour < 26; hour++) {
        driver.advanceWallClockTime(Duration.ofHours(1));
        sample(driver, "node-7");
      }

      assertThat(nodes.keys()).containsExactly("node-7");
      assertThat(samples(driver)).isEqualTo(1);
    }
  }

  private static WriteBehindStore<NodeState> nodes(TopologyTestDriver driver) {
    @SuppressWarnings("unchecked") // it is built so
    var nodes = (WriteBehindStore<NodeState>) driver.getStateStore(Stores.NODES);
    return nodes;
  }

  private static int samples(TopologyTestDriver driver) {
    try (var all = driver.<String, GpuSample>getKeyValueStore(Stores.SAMPLES).all()) {
      int count = 0;
      while (all.hasNext()) {
        all.next();
        count++;
      }
      return count;
    }
  }

  private static void sample(TopologyTestDriver driver, String node) {
    TestTopics.input(driver, Topics.GPU)
        .pipeInput(node, new GpuSample("east", node, Lines.AT, List.of()));
  }

  private static void line(TopologyTestDriver driver, int node) {
    var chunk = Lines.of(8 * node, false, "worker:1:1 [0] NCCL INFO NCCL version 2.28.9+cuda13.0");
    TestTopics.input(driver, Topics.LOGS).pipeInput(chunk.source().node(), chunk);
  }

  private TopologyTestDriver driver() {
    var settings = new Properties();
    settings.putAll(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG,
            "nodes-that-left",
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
            "unused:1",
            StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG,
            true,
            StreamsConfig.STATE_DIR_CONFIG,
            folder.toString()));
    return new TopologyTestDriver(
        RingsideTopology.build(
            new StreamsConfig(settings), new Judge(Expectations.builtIn()), ServicePace.FLEET),
        settings);
  }
}
