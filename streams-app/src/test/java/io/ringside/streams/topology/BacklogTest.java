package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.job.JobState;
import io.ringside.streams.state.JournaledStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job that was started over and over while nobody looked, read in less time than the clock needs
/// for one look.
class BacklogTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T00:00:00Z");
  private static final Instant NOW = BEGIN.plus(Duration.ofHours(12));
  private static final int STARTS = 80;
  private static final int KEPT = ServicePace.FLEET.runs();

  @TempDir private Path stateDir;
  private TopologyTestDriver driver;
  private TestInputTopic<String, LogChunk> logs;

  @BeforeEach
  void begin() {
    driver = TestTopics.driver(stateDir, NOW);
    logs = TestTopics.input(driver, Topics.LOGS);
  }

  @AfterEach
  void end() {
    driver.close();
  }

  @Test
  void tellsEveryStartOfOneFile() {
    var told = read(log("node-1", STARTS, 100));

    assertThat(told.runs).hasSize(STARTS);
    assertThat(told.runs.values())
        .extracting(RunSummary::attempt)
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, STARTS).boxed().toList());
    assertThat(told.runs.values())
        .allSatisfy(run -> assertThat(run.ranksSeen()).isEqualTo(2))
        .filteredOn(run -> run.attempt() < STARTS)
        .allSatisfy(run -> assertThat(run.state()).isEqualTo(RunSummary.State.SUPERSEDED));
    assertThat(told.findings.values())
        .extracting(Finding::run)
        .containsExactlyInAnyOrderElementsOf(told.runs.keySet());
  }

  @Test
  void tellsEveryStartOfOneRecord() {
    var told = read(log("node-1", STARTS, 10_000));

    assertThat(told.runs).hasSize(STARTS);
  }

  @Test
  void keepsTheNewestOfThem() {
    var told = read(log("node-1", STARTS, 10_000));
    driver.advanceWallClockTime(Duration.ofMinutes(5));
    told.add(driver);

    assertThat(told.ledger).hasSize(KEPT);
    assertThat(told.ledger.values())
        .extracting(RunSummary::attempt)
        .allMatch(attempt -> attempt > STARTS - KEPT);
    assertThat(told.changes.values()).as("told, told once more, dropped").allMatch(n -> n <= 3);
    var jobs = (JournaledStore<?>) driver.getStateStore(Stores.JOBS);
    assertThat(((JobState) jobs.get("c|ns|job")).runs()).hasSizeLessThanOrEqualTo(32);
  }

  private Told read(List<LogChunk> chunks) {
    chunks.forEach(chunk -> logs.pipeInput(chunk.source().node(), chunk, NOW));
    driver.advanceWallClockTime(Duration.ofSeconds(1));
    var told = new Told();
    told.add(driver);
    return told;
  }

  /// What the topics held in all.
  private static final class Told {
    private final Map<String, RunSummary> runs = new HashMap<>();
    private final Map<String, RunSummary> ledger = new HashMap<>();
    private final Map<String, Finding> findings = new HashMap<>();
    private final Map<String, Integer> changes = new HashMap<>();

    void add(TopologyTestDriver driver) {
      List<KeyValue<String, RunSummary>> lines =
          TestTopics.output(driver, Topics.RUNS).readKeyValuesToList();
      for (var line : lines) {
        changes.merge(line.key, 1, Integer::sum);
        if (line.value == null) {
          ledger.remove(line.key);
        } else {
          ledger.put(line.key, line.value);
          runs.put(line.value.run(), line.value);
        }
      }
      for (var finding : TestTopics.output(driver, Topics.FINDINGS).readValuesToList()) {
        if (finding != null) {
          findings.put(finding.id(), finding);
        }
      }
    }
  }

  /// Both ranks of each start in one file.
  private static List<LogChunk> log(String node, int starts, int linesAChunk) {
    var log = new WrittenLog(node, "job");
    var chunks = new ArrayList<LogChunk>();
    int lines = 0;
    for (int start = 0; start < starts; start++) {
      long at = Nanos.of(BEGIN.plusSeconds(300L * start));
      for (var text : start(node, start)) {
        log.add(at, text);
        at += 1_000_000_000;
        if (++lines % linesAChunk == 0) {
          chunks.addAll(log.cut(false, linesAChunk));
        }
      }
    }
    chunks.addAll(log.cut(false, linesAChunk));
    return chunks;
  }

  private static List<String> start(String node, int number) {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 2; rank++) {
      int pid = 1_000 + 2 * number + rank;
      var head = "pod-%s:%d:%d [%d] NCCL INFO ".formatted(node, pid, pid, rank);
      var init =
          "ncclCommInitRankConfig comm 0x55%04x rank %d nranks 2 cudaDev %d nvmlDev %d busId %d01d0 commId 0x%x - Init "
              .formatted(pid, rank, rank, rank, rank + 1, 77_000 + number);
      lines.add(head + init + "START");
      lines.add(
          head
              + "Channel 00/0 : %d[%d] -> %d[%d] via SHM/direct/direct"
                  .formatted(rank, rank, 1 - rank, 1 - rank));
      lines.add(head + init + "COMPLETE");
    }
    for (int step = 1; step <= 10; step++) {
      lines.add("{'loss': 2.5, 'grad_norm': 1.0, 'learning_rate': 2e-05, 'epoch': 0.1}");
    }
    return lines;
  }
}
