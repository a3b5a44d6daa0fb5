package io.ringside.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.event.Text;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What 300,000 lines cost that each name a communicator of their own, in four files of 256
/// processes each: in processor time of this thread, to take them in and to judge the job. A
/// timing, so `lab/hostile.sh` runs it and no build.
class ManyCommunicatorsRun {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final int LINES = 300_000;
  private static final int FILES = 4;
  private static final int LINES_A_CHUNK = 250;

  @Test
  void growWithLinesOnly() {
    double tenth = takeIn(LINES / 10).seconds();
    var all = takeIn(LINES);
    var judge = new Judge(Expectations.builtIn());
    judge.judge(all.job(), NOW); // code that is cold costs as much again
    double began = cpuSeconds();
    var verdict = judge.judge(all.job(), NOW);
    double judging = cpuSeconds() - began;

    System.err.printf(
        "%,d communicators: %.1f CPU-s to take in (%.1f for a tenth), %.2f to judge as %d runs%n",
        LINES, all.seconds(), tenth, judging, verdict.runs().size());
    assertThat(all.seconds()).isLessThan(30);
    assertThat(judging).isLessThan(1);
    assertThat(verdict.runs())
        .allSatisfy(run -> assertThat(run.notJudged()).extracting(NotJudged::what).contains("log"));
  }

  private record Taken(JobState job, double seconds) {}

  private static Taken takeIn(int lines) {
    var replay = new Replay();
    double seconds = 0;
    for (int file = 0; file < FILES; file++) {
      var source =
          new LogSource(
              "", "node", "training", "many-" + file, "uid", "trainer", "many", file + ".log");
      long offset = 0;
      for (int from = 0; from < lines / FILES; from += LINES_A_CHUNK) {
        var chunk = chunk(source, file, from, offset);
        offset = chunk.nextOffset();
        double began = cpuSeconds();
        replay.add(chunk);
        seconds += cpuSeconds() - began;
      }
    }
    return new Taken(replay.jobs().values().iterator().next(), seconds);
  }

  private static LogChunk chunk(LogSource source, int file, int from, long offset) {
    List<String> lines = new ArrayList<>();
    var offsets = new int[LINES_A_CHUNK];
    int at = 0;
    for (int i = 0; i < LINES_A_CHUNK; i++) {
      int pid = 1 + i;
      var line =
          "%s:%d:%d [0] NCCL INFO ncclCommInitRank comm 0x%x rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId %x000 commId 0x%x - Init COMPLETE"
              .formatted(
                  source.pod(), pid, pid, 0x1000 + from + i, pid, ((long) file << 32) + from + i);
      lines.add(line);
      offsets[i] = at;
      at += line.getBytes(StandardCharsets.UTF_8).length + 1;
    }
    return new LogChunk(
        source,
        1,
        from / LINES_A_CHUNK,
        offset,
        offset + at,
        NOW,
        true,
        false,
        Text.of(String.join("\n", lines)),
        offsets,
        0,
        new long[0],
        new int[0]);
  }

  private static double cpuSeconds() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }
}
