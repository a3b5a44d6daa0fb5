package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A log of two ranks that ends in mid-training, and sensors that go on.
class IdleJobTest {
  private static final Instant BEGIN = Instant.parse("2026-10-11T04:00:00Z");
  private static final int STEPS = 60;
  private static final int RANKS = 2;
  private static final double MEMORY = 68_000;

  /// What a GPU does after the log's end, by its index.
  private interface After {
    GpuReading of(int index, long second);
  }

  @Test
  void isAHangOfAllRanksAlike() {
    assertThat(hangs(5_000, Duration.ofMinutes(21), (gpu, _) -> reading(gpu, 0, MEMORY)))
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).isEmpty();
              assertThat(hang.summary())
                  .isEqualTo(
                      "the job hangs: no line for 21 min after step 60 of 5000, and all 2 GPUs are idle, and their memory is still held");
            });
  }

  @Test
  void isNoneForAFewMinutes() {
    assertThat(hangs(5_000, Duration.ofMinutes(8), (gpu, _) -> reading(gpu, 0, MEMORY))).isEmpty();
  }

  @Test
  void isNoneWhereTheLogAloneEnds() {
    assertThat(hangs(5_000, Duration.ofMinutes(21), (gpu, _) -> reading(gpu, 95, MEMORY)))
        .isEmpty();
  }

  @Test
  void isNoneWhereTheProcessesAreGone() {
    assertThat(hangs(5_000, Duration.ofMinutes(21), (gpu, _) -> reading(gpu, 0, 4))).isEmpty();
  }

  /// As a notebook holds its memory after the last step.
  @Test
  void isNoneWhereAllStepsAreMade() {
    assertThat(hangs(STEPS, Duration.ofMinutes(21), (gpu, _) -> reading(gpu, 0, MEMORY))).isEmpty();
  }

  @Test
  void isNoneWhereOneGpuWorks() {
    assertThat(
            hangs(
                5_000,
                Duration.ofMinutes(21),
                (gpu, second) -> reading(gpu, gpu == 1 && second % 60 == 0 ? 40 : 0, MEMORY)))
        .isEmpty();
  }

  private static GpuReading reading(int index, double busy, double memory) {
    return new GpuReading(
        index,
        "0000:0%d:00.0".formatted(index + 1),
        "",
        "NVIDIA H100",
        busy,
        memory,
        81_559.0,
        120.0,
        700.0,
        50.0,
        1980.0,
        1980.0,
        0L,
        0L,
        null,
        null);
  }

  private static List<Finding> hangs(int total, Duration readings, After after) {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < RANKS; rank++) {
      lines.add(
          line(
              0,
              "host:10%d:10%d [%d] NCCL INFO ncclCommInitRankConfig comm 0x55%d rank %d nranks %d cudaDev %d nvmlDev %d busId %d000 commId 0xc5194a2a2d53c3b9 - Init COMPLETE"
                  .formatted(rank, rank, rank, rank, rank, RANKS, rank, rank, rank + 1)));
    }
    for (int step = 1; step <= STEPS; step++) {
      lines.add(line(step, "step %d/%d loss=2.5360 step_time=1.000s".formatted(step, total)));
    }
    var samples = new ArrayList<GpuSample>();
    for (long second = 0; second <= STEPS + readings.toSeconds(); second += 5) {
      long at = second;
      samples.add(
          new GpuSample(
              "",
              "local",
              BEGIN.plusSeconds(second),
              IntStream.range(0, RANKS)
                  .mapToObj(gpu -> at > STEPS ? after.of(gpu, at) : reading(gpu, 100, MEMORY))
                  .toList()));
    }
    return Recorded.of(Map.of("job.log", lines)).with(samples).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.HANG)
        .toList();
  }

  private static String line(int second, String text) {
    return BEGIN.plusSeconds(second) + " " + text;
  }
}
