package io.ringside.streams.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import io.ringside.streams.fact.GpuFacts;
import io.ringside.streams.job.Replay;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Five pods of a node whose logs name a new process on the node's one GPU in each line. What a
/// chunk makes its node tell jobs was 35 MB a second, and filled the partition for all others.
class ProcessesInEachLineTest {
  private static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");
  private static final int PODS = 5;
  private static final int CHUNKS = 4;
  private static final int LINES = 60;

  private int records;
  private int processes;
  private int readings;

  private final Replay replay =
      new Replay(
          new NodeJoin(),
          input -> {
            if (input instanceof GpuFacts facts) {
              records++;
              processes += facts.disputed().size();
              readings += facts.readings().size();
            }
          });

  @Test
  void areToldOnceWhereNoLineHasATime() {
    say(false);

    assertThat(processes).isEqualTo(PODS * CHUNKS * LINES);
    assertThat(records).isLessThanOrEqualTo(PODS * CHUNKS + 1);
  }

  @Test
  void getWhatWasSampledBeforeOnlyAsFarAsTheyAreFew() {
    IntStream.range(0, 120).forEach(second -> replay.add(sample(T0.plusSeconds(second))));
    say(true);

    assertThat(readings).isEqualTo(PODS * CHUNKS * 8 * 120);
  }

  private void say(boolean timed) {
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      for (int pod = 0; pod < PODS; pod++) {
        replay.add(chunk(pod, chunk, timed));
      }
    }
  }

  private static LogChunk chunk(int pod, int number, boolean timed) {
    var lines = new ArrayList<String>();
    for (int i = 0; i < LINES; i++) {
      int pid = 1 + number * LINES + i;
      lines.add(
          "pod-%d:%d:%d [0] NCCL INFO ncclCommInitRank comm 0x%x rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 commId 0x%x - Init COMPLETE"
              .formatted(pod, pid, pid, pid, pid));
    }
    var text = String.join("\n", lines);
    var offsets = new int[LINES];
    int at = 0;
    for (int i = 0; i < LINES; i++) {
      offsets[i] = at;
      at += lines.get(i).getBytes(StandardCharsets.UTF_8).length + 1;
    }
    return new LogChunk(
        new LogSource("", "n1", "team", "pod-" + pod, "uid", "trainer", "job-" + pod, pod + ".log"),
        1,
        number,
        (long) number * at,
        (long) (number + 1) * at,
        T0.plusSeconds(130),
        timed,
        false,
        Text.of(text),
        offsets,
        timed ? T0.getEpochSecond() * 1_000_000_000L : 0,
        new long[timed ? LINES : 0],
        new int[0]);
  }

  private static GpuSample sample(Instant at) {
    return new GpuSample(
        "",
        "n1",
        at,
        List.of(
            new GpuReading(
                0,
                "0000:01:00.0",
                "",
                "H100",
                85.0,
                1.0,
                1.0,
                300.0,
                700.0,
                50.0,
                1980.0,
                1980.0,
                0L,
                0L,
                null,
                null)));
  }
}
