package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.state.StateBytes;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// A pod that restarts over and over, and each time states something new in every line. What the
/// job keeps is bounded in bytes.
class StatementsOfANodeTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  /// What the statements of a node may take, with what else a job holds.
  private static final int MOST_BYTES = 128 << 20;

  private static final int VARIABLES = 500;
  private static final String VALUE = "x".repeat(300);

  private final Replay replay = new Replay();

  @Test
  void takeNoMoreHoweverOftenItStarts() {
    int largest = 0;
    for (int start = 0; start < 16; start++) {
      start(start, 12);
      largest = Math.max(largest, bytes());
    }

    assertThat(largest).isBetween(MOST_BYTES / 8, MOST_BYTES);
    assertThat(job().runs()).hasSizeLessThan(16);
    assertThat(job().unkept()).as("older starts make room for the newest").isZero();
  }

  @Test
  void areLeftOutWhereOneStartAloneStatesTooMuch() {
    for (int file = 0; file < 12; file++) {
      var log = log(file);
      for (int process = 0; process < 24; process++) {
        state(log, 1_000 * (file + 1) + process, NOW);
      }
      log.cut(false).forEach(replay::add);
    }

    assertThat(bytes()).isLessThan(MOST_BYTES);
    assertThat(job().unkept()).isPositive();
    var judged = new Judge(Expectations.builtIn()).judge(job(), NOW.plus(Duration.ofMinutes(1)));
    assertThat(judged.runs())
        .flatExtracting(run -> run.notJudged())
        .extracting(each -> each.because())
        .anyMatch(because -> because.startsWith("its processes state more than is kept: "));
  }

  /// One start of the pod's container: its processes state what they have, and join.
  private void start(int number, int processes) {
    var log = log(number);
    var at = NOW.plus(Duration.ofMinutes(2L * number));
    for (int rank = 0; rank < processes; rank++) {
      int pid = 1_000 * (number + 1) + rank;
      log.add(
          Nanos.of(at),
          String.format(
              Locale.ROOT,
              "pod-0:%1$d:%1$d [0] NCCL INFO ncclCommInitRank comm 0x55%1$05x rank %2$d nranks %3$d cudaDev %2$d nvmlDev %2$d busId %4$x000 commId 0x%5$x - Init COMPLETE",
              pid,
              rank,
              processes,
              16 + rank,
              77_000 + number));
      state(log, pid, at);
    }
    log.cut(false).forEach(replay::add);
  }

  private void state(WrittenLog log, int pid, Instant at) {
    for (int i = 0; i < VARIABLES; i++) {
      log.add(
          Nanos.of(at.plusMillis(i)),
          String.format(
              Locale.ROOT,
              "pod-0:%1$d:%1$d [0] NCCL INFO NCCL_V%2$d set by environment to %1$d%3$s",
              pid,
              i,
              VALUE));
    }
  }

  private static WrittenLog log(int restart) {
    return new WrittenLog(
        new LogSource("c", "node-1", "ns", "pod-0", "uid", "main", "job", restart + ".log"));
  }

  private JobState job() {
    return replay.jobs().values().iterator().next();
  }

  private int bytes() {
    return new StateBytes<>(JobState.class).write(job()).length;
  }
}
