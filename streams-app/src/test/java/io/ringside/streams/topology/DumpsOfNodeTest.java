package io.ringside.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.event.Text;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.recorded.Lines;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Dumps whose folder does not tell whose they are, through the whole topology.
class DumpsOfNodeTest {
  @TempDir private Path stateDir;
  private TopologyTestDriver driver;
  private TestInputTopic<String, LogChunk> logs;

  @BeforeEach
  void start() {
    driver = TestTopics.driver(stateDir, Lines.AT);
    logs = TestTopics.input(driver, Topics.LOGS);
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  @Test
  void givesADumpToTheOneJobThatRuns() {
    begin(0, "alone");
    dump("cut off");

    assertThat(notJudged().get("alone"))
        .singleElement()
        .satisfies(because -> assertThat(because).doesNotContain("several jobs"));
  }

  @Test
  void givesADumpToNobodyWhereSeveralJobsRun() {
    begin(0, "one");
    begin(1, "other");
    dump("cut off");

    assertThat(notJudged())
        .containsOnlyKeys("one", "other")
        .allSatisfy(
            (_, because) ->
                assertThat(because)
                    .containsExactly(
                        "/tmp/nccl_trace_rank_0 cannot be read: several jobs run on its node, and its folder does not tell whose it is"));
  }

  private void begin(int rank, String job) {
    var chunk = Lines.of(rank, false, Lines.start(rank, 2).toArray(String[]::new));
    var source = new LogSource("east", "node-0", "training", job + "-0", "", "", job, job + ".log");
    send(
        new LogChunk(
            source,
            0,
            0,
            0,
            chunk.nextOffset(),
            chunk.readAt(),
            true,
            false,
            chunk.text(),
            chunk.offsets(),
            0,
            chunk.nanos(),
            chunk.cut()));
  }

  private void dump(String content) {
    send(
        new LogChunk(
            LogSource.ofNode("east", "node-0", "/tmp/nccl_trace_rank_0"),
            0,
            0,
            0,
            1,
            Lines.AT.plusSeconds(5),
            true,
            false,
            Text.of(
                PackedWitness.line(PackedWitness.FLIGHT_RECORDER, content.getBytes(UTF_8))
                    .orElseThrow()),
            new int[] {0},
            0,
            new long[0],
            new int[0]));
    for (int second = 0; second < 20; second++) {
      driver.advanceWallClockTime(Duration.ofSeconds(1));
    }
  }

  private void send(LogChunk chunk) {
    logs.pipeInput(chunk.source().node(), chunk, Instant.EPOCH);
  }

  private Map<String, List<String>> notJudged() {
    var told = new TreeMap<String, List<String>>();
    try (var all = driver.<String, RunSummary>getKeyValueStore(Stores.RUNS).all()) {
      all.forEachRemaining(
          entry ->
              told.put(
                  entry.value.job(),
                  entry.value.notJudged().stream()
                      .filter(missing -> missing.what().equals("witnesses"))
                      .map(NotJudged::because)
                      .toList()));
    }
    return told;
  }
}
