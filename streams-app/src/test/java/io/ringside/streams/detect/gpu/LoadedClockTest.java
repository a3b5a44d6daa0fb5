package io.ringside.streams.detect.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.recorded.WrittenGpu;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Four GPUs that work for a quarter of an hour. What holds their clocks may change meanwhile, for
/// all of them at once, so that no peer shows it.
class LoadedClockTest {
  private static final Instant BEGIN = Instant.parse("2026-10-11T04:00:00Z");
  private static final int SECONDS = 900;
  private static final long AT_LIMIT = 0x4;

  @Test
  void tellsOfALimitThatWasLowered() {
    assertThat(
            told(second -> second < 400 ? reading(1_980, 620, 0) : reading(1_335, 450, AT_LIMIT)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.ranks()).containsExactly(0, 1, 2, 3);
              assertThat(finding.summary())
                  .isEqualTo(
                      "4 of 4 GPUs run at their power limit far below their own clocks before: 1335 instead of 1980 MHz, with 450 instead of 620 W");
            });
  }

  /// The next phase of the program computes more in each cycle.
  @Test
  void saysNothingOfAHeavierLoad() {
    assertThat(
            told(second -> second < 400 ? reading(1_800, 699, AT_LIMIT) : reading(1_400, 700, 4)))
        .isEmpty();
  }

  /// Warm-up without much work, then full load at the limit.
  @Test
  void saysNothingOfGpusThatReachTheirLimit() {
    assertThat(
            told(second -> second < 300 ? reading(1_980, 400, 0) : reading(1_500, 698, AT_LIMIT)))
        .isEmpty();
  }

  @Test
  void saysNothingOfALighterLoad() {
    assertThat(told(second -> second < 400 ? reading(1_980, 650, 0) : reading(1_980, 400, 0)))
        .isEmpty();
  }

  /// `nvidia-smi -lgc`: the limit does not hold them.
  @Test
  void saysNothingOfAClockThatSomebodySet() {
    assertThat(told(second -> second < 400 ? reading(1_980, 650, 0) : reading(1_200, 400, 0)))
        .isEmpty();
  }

  private static IntFunction<GpuReading> reading(double megahertz, double watts, long reasons) {
    return index -> WrittenGpu.of(index, 100, watts, megahertz, reasons);
  }

  private static List<Finding> told(IntFunction<IntFunction<GpuReading>> at) {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 4; rank++) {
      nccl(
          lines,
          0,
          rank,
          "ncclCommInitRankConfig comm 0x55%d rank %d nranks 4 cudaDev %d nvmlDev %d busId %d000 commId 0xc5194a2a2d53c3b9 - Init COMPLETE"
              .formatted(rank, rank, rank, rank, rank + 1));
    }
    nccl(lines, SECONDS, 0, "comm 0x550 rank 0 nranks 4 cudaDev 0 busId 1000 - Destroy COMPLETE");
    var samples =
        IntStream.range(0, SECONDS)
            .mapToObj(
                second ->
                    new GpuSample(
                        "",
                        "local",
                        BEGIN.plusSeconds(second),
                        IntStream.range(0, 4).mapToObj(at.apply(second)).toList()))
            .toList();
    return Recorded.of(Map.of("job.log", lines)).with(samples).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.GPU_THROTTLED)
        .toList();
  }

  private static void nccl(List<String> lines, int second, int rank, String message) {
    lines.add(
        "%s stdout F worker-0:%d:%d [%d] NCCL INFO %s"
            .formatted(BEGIN.plusSeconds(second), 100 + rank, 100 + rank, rank, message));
  }
}
