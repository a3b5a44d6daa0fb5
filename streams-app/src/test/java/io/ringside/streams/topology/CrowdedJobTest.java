package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job that has begun more runs within a minute than the ledger holds of it: none may be
/// forgotten yet, they may turn out to be one.
class CrowdedJobTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final int KEPT = ServicePace.FLEET.runs();
  private static final int RUNS = 4 * KEPT;

  @TempDir private Path stateDir;
  private final WrittenLog log = new WrittenLog("node-1", "job");
  private final Map<String, Integer> changes = new HashMap<>();
  private final Map<String, RunSummary> ledger = new HashMap<>();
  private TopologyTestDriver driver;
  private TestInputTopic<String, LogChunk> logs;
  private Instant now = NOW;

  @BeforeEach
  void begin() {
    driver = TestTopics.driver(stateDir, NOW);
    logs = TestTopics.input(driver, Topics.LOGS);
    for (int run = 0; run < RUNS; run++) {
      say(run, "COMPLETE", Duration.ofMillis(100L * run));
    }
    send();
  }

  @AfterEach
  void end() {
    driver.close();
  }

  @Test
  void isToldAsFarAsTheLedgerHoldsIt() {
    assertThat(ledger.values())
        .extracting(RunSummary::attempt)
        .hasSize(KEPT)
        .allMatch(attempt -> attempt > RUNS - KEPT);
    assertThat(changes).as("none is told to be dropped at once").hasSize(KEPT);
    assertThat(TestTopics.output(driver, Topics.FINDINGS).readValuesToList())
        .filteredOn(Objects::nonNull)
        .extracting(Finding::run)
        .allSatisfy(run -> assertThat(ledger).containsKey("c|ns|job|" + run));
  }

  @Test
  void isNotToldAnewForLinesThatChangeNoRun() {
    changes.clear();
    for (int i = 0; i < 20; i++) {
      log.add(Nanos.of(now), "pod-node-1:1:1 [0] NCCL INFO Something new " + i);
      send();
    }

    assertThat(changes).as("but for the newest, which goes on").hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void keepsTheNumbersOfItsRunsWhenItForgetsTheFirst() {
    var before = attempts();
    say(RUNS, "COMPLETE", Duration.ofMinutes(1).plusSeconds(5));
    send();

    var after = attempts();
    assertThat(after).containsValue(RUNS + 1);
    after.keySet().retainAll(before.keySet());
    assertThat(after).isNotEmpty();
    assertThat(before).containsAllEntriesOf(after);
  }

  private Map<String, Integer> attempts() {
    return ledger.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, run -> run.getValue().attempt()));
  }

  private void say(int run, String phase, Duration since) {
    int pid = 1_000 + run;
    log.add(
        Nanos.of(NOW.plus(since)),
        "pod-node-1:%d:%d [0] NCCL INFO ncclCommInitRank comm 0x55%04x rank 0 nranks 1 cudaDev 0 nvmlDev 0 busId 101d0 commId 0x%x - Init %s"
            .formatted(pid, pid, pid, 77_000 + run, phase));
  }

  /// What was written, and ten looks of the clock.
  private void send() {
    log.cut(false, 100).forEach(chunk -> logs.pipeInput("node-1", chunk, now));
    for (int i = 0; i < 10; i++) {
      now = now.plusSeconds(1);
      driver.advanceWallClockTime(Duration.ofSeconds(1));
    }
    var lines = TestTopics.output(driver, Topics.RUNS).readKeyValuesToList();
    for (var line : lines) {
      changes.merge(line.key, 1, Integer::sum);
      if (line.value == null) {
        ledger.remove(line.key);
      } else {
        ledger.put(line.key, line.value);
      }
    }
  }
}
