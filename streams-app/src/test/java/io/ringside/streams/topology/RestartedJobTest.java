package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job that is restarted again and again: what is known about its old runs stays as published
/// while lines of the newest come, and what they say late is judged within a minute.
class RestartedJobTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final int RUNS = 8;
  private static final String WARNING = "misc/socket.cc:57 NCCL WARN ";

  @TempDir private Path stateDir;
  private final WrittenLog log = new WrittenLog("node-1", "job");
  private final Map<String, Finding> findings = new HashMap<>();
  private int changes;
  private TopologyTestDriver driver;
  private TestInputTopic<String, LogChunk> logs;
  private Instant now = NOW;

  @BeforeEach
  void begin() {
    driver = TestTopics.driver(stateDir, NOW);
    logs = TestTopics.input(driver, Topics.LOGS);
    for (int run = 0; run < RUNS; run++) {
      for (var phase : new String[] {"START", "COMPLETE"}) {
        say(
            run,
            "NCCL INFO ncclCommInitRank comm 0x55%04x rank 0 nranks 1 cudaDev 0 nvmlDev 0 busId 101d0 commId 0x%x - Init %s"
                .formatted(run, 77_000 + run, phase));
      }
      say(run, WARNING + "Call to connect failed : Connection refused");
      pass(Duration.ofSeconds(20));
    }
  }

  @AfterEach
  void end() {
    driver.close();
  }

  @Test
  void keepsWhatItsOldRunsHave() {
    assertThat(findings.values()).extracting(Finding::run).hasSize(RUNS).doesNotHaveDuplicates();
    var before = Map.copyOf(findings);
    changes = 0;
    for (int i = 0; i < 10; i++) {
      say(RUNS - 1, "NCCL INFO Connected all rings");
      pass(Duration.ofSeconds(20));
    }

    assertThat(findings).isEqualTo(before);
    assertThat(changes).isZero();
  }

  @Test
  void hearsAnOldRunWithinAMinute() {
    say(0, WARNING + "Accept failed : Broken pipe");
    pass(Duration.ofSeconds(62));

    assertThat(findings.values())
        .filteredOn(finding -> finding.run().equals("0x%x".formatted(77_000)))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.evidence())
                    .anySatisfy(line -> assertThat(line.text()).contains("Broken pipe")));
  }

  private void say(int run, String text) {
    int pid = 1_000 + run;
    log.add(Nanos.of(now), "pod-node-1:%d:%d [0] %s".formatted(pid, pid, text));
  }

  private void pass(Duration time) {
    log.cut(false).forEach(chunk -> logs.pipeInput("node-1", chunk, now));
    for (long second = 0; second < time.toSeconds(); second++) {
      now = now.plusSeconds(1);
      driver.advanceWallClockTime(Duration.ofSeconds(1));
    }
    for (var told : TestTopics.output(driver, Topics.FINDINGS).readKeyValuesToList()) {
      changes++;
      if (told.value == null) {
        findings.remove(told.key);
      } else {
        findings.put(told.key, told.value);
      }
    }
  }
}
