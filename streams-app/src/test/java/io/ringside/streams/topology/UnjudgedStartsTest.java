package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job that starts anew so often that judging each start would take the service's time from
/// others.
class UnjudgedStartsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  /// Each record holds this many starts, more than the state keeps.
  private static final int STARTS = 200;

  /// So little that the first judgement uses it up, however fast the machine is.
  private static final Duration SAVED = Duration.ofNanos(1);

  /// Far more ticks than it takes until the job may be judged again.
  private static final int MOST_TICKS = 1_000;

  @TempDir private Path stateDir;
  private final WrittenLog log = new WrittenLog("node-1", "job");
  private TopologyTestDriver driver;
  private int begun;

  @BeforeEach
  void begin() {
    driver = TestTopics.driver(stateDir, NOW);
  }

  @AfterEach
  void end() {
    driver.close();
  }

  @Test
  void areCountedInWhatWasNotJudged() {
    driver.close();
    driver = TestTopics.driver(stateDir, NOW, ServicePace.FLEET.saving(SAVED));
    send();
    send();

    var told = List.<NotJudged>of();
    for (int tick = 0; tick < MOST_TICKS && told.isEmpty(); tick++) {
      told = told();
    }

    assertThat(told)
        .extracting(NotJudged::because)
        .first()
        .asString()
        .matches("\\d+ starts of this job came faster than they could be judged .*");
    assertThat(Integer.parseInt(told.getFirst().because().replaceAll(" .*", "")))
        .isBetween(STARTS / 2, begun);
  }

  @Test
  void areNoneWhereAJobStartsAsOftenAsUsual() {
    send();

    assertThat(told()).isEmpty();
  }

  /// The clock stands still while the records come, so that nothing is added to the job's share.
  private void send() {
    for (int start = 0; start < STARTS; start++) {
      int pid = 1_000 + begun;
      log.add(
          Nanos.of(NOW.minus(Duration.ofDays(9)).plus(Duration.ofSeconds(begun))),
          "pod-node-1:%d:%d [0] NCCL INFO ncclCommInitRank comm 0x55%05x rank 0 nranks 1 cudaDev 0 nvmlDev 0 busId 101d0 commId 0x%x - Init COMPLETE"
              .formatted(pid, pid, pid, 77_000 + begun));
      begun++;
    }
    var logs = TestTopics.input(driver, Topics.LOGS);
    log.cut(false, STARTS).forEach(chunk -> logs.pipeInput("node-1", chunk, NOW));
  }

  private List<NotJudged> told() {
    driver.advanceWallClockTime(Duration.ofMillis(500));
    return TestTopics.output(driver, Topics.RUNS).readValuesToList().stream()
        .filter(Objects::nonNull)
        .flatMap(run -> run.notJudged().stream())
        .filter(each -> each.what().equals("starts"))
        .toList();
  }
}
