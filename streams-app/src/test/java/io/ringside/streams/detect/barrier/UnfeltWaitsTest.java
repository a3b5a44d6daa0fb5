package io.ringside.streams.detect.barrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.detect.straggler.Trace;
import io.ringside.streams.detect.straggler.Trace.Gpu;
import io.ringside.streams.recorded.WrittenRun;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Eight ranks, steps of 0.2 s. Rank 5 makes its call 110 ms after the others in two of three
/// steps, in the third somebody else does. What the GPUs do meanwhile decides.
class UnfeltWaitsTest {
  private static final Gpu WORKS = new Gpu(97, 660, 12_000, 1980);
  private static final Gpu SPINS = new Gpu(99, 420, 12_000, 1980);
  private static final Gpu IDLES = new Gpu(45, 410, 12_000, 1980);

  @Test
  void areNoneWhereAllGpusWorkAlike() {
    assertThat(barriers(WORKS, WORKS)).isEmpty();
  }

  @Test
  void areFeltWhereItsGpuWorksAndTheOthersSpin() {
    assertThat(barriers(WORKS, SPINS)).hasSize(1);
  }

  @Test
  void areFeltWhereItsGpuIdlesAndTheOthersSpin() {
    assertThat(barriers(IDLES, SPINS)).hasSize(1);
  }

  private static List<Finding> barriers(Gpu own, Gpu others) {
    var run = WrittenRun.of(1, 8, "P2P/CUMEM");
    var random = new Random(3);
    double at = 1.03;
    for (int step = 0; step < 450; step++) {
      int last = step % 5 < 2 ? 5 : random.nextInt(8);
      for (int rank = 0; rank < 8; rank++) {
        double late = rank == 5 || rank == last ? 0.09 + (rank == last ? 0.03 : 0) : 0;
        run.allReduce(at + 0.001 * random.nextDouble() + late, rank, 4096);
      }
      at += 0.2;
    }
    Trace trace = (rank, _) -> rank == 5 ? own : others;
    return WrittenRun.recorded(run).with(trace.samples(8, 0, at)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.BARRIER_WAIT)
        .toList();
  }
}
