package io.ringside.streams.detect.straggler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.straggler.Trace.Gpu;
import io.ringside.streams.recorded.WrittenRun;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Runs without COLL lines: steps of 100 ms that take 200 ms from step 150 to 249, which is 15 s to
/// 35 s after the first. What the GPUs did meanwhile decides. Figures as of H200s: 660 W at work,
/// 390 W where half of each step is spent in a collective.
class SlowGpuTest {
  private static final Gpu WORKS = new Gpu(96, 660, 12_000, 1890);
  private static final Gpu WAITS = new Gpu(99, 390, 12_000, 1950);
  private static final double SINCE = 15;
  private static final double UNTIL = 35;

  private static double rising(int step) {
    return step >= 150 && step < 250 ? 200 : 100;
  }

  private static boolean slow(double second) {
    return second >= SINCE && second < UNTIL;
  }

  @Test
  void blamesTheRankWhoseGpuIdlesWhileTheOthersSpin() {
    var late = new Gpu(40, 380, 12_000, 1950);

    var found =
        only(
            judged(
                4, SlowGpuTest::rising, (rank, at) -> slow(at) ? rank == 1 ? late : WAITS : WORKS));

    assertThat(found.ranks()).containsExactly(1);
    assertThat(found.severity()).isEqualTo(Severity.WARNING);
    assertThat(found.cause()).isEqualTo("host");
    assertThat(found.summary()).contains("2.0 times as long").contains("idled");
    assertThat(found.since()).isEqualTo(Trace.BEGIN.plusMillis(15_600));
    assertThat(found.until()).isEqualTo(Trace.BEGIN.plusMillis(35_600));
    // 100 steps, 0.1 s longer each, three others
    assertThat(found.cost().gpuSeconds()).isCloseTo(30, within(0.5));
    assertThat(found.evidence()).hasSizeGreaterThan(4);
  }

  @Test
  void seesANeighbourThatWorksHalfOfTheTimeOnOneGpu() {
    var shared = new Gpu(99, 560, 16_100, 1860);

    var found =
        only(
            judged(
                4,
                SlowGpuTest::rising,
                (rank, at) -> slow(at) ? rank == 2 ? shared : WAITS : WORKS));

    assertThat(found.ranks()).containsExactly(2);
    assertThat(found.cause()).isEqualTo("gpu-contended");
    assertThat(found.summary()).contains("4100 MiB");
  }

  @Test
  void seesItOfTwoGpusToo() {
    var shared = new Gpu(99, 560, 14_500, 1860);
    var late = new Gpu(35, 380, 12_000, 1950);

    assertThat(
            only(judged(
                    2,
                    SlowGpuTest::rising,
                    (rank, at) -> slow(at) ? rank == 1 ? shared : WAITS : WORKS))
                .ranks())
        .containsExactly(1);
    assertThat(
            only(judged(
                    2,
                    SlowGpuTest::rising,
                    (rank, at) -> slow(at) ? rank == 1 ? late : WAITS : WORKS))
                .ranks())
        .containsExactly(1);
  }

  @Test
  void seesAClockThatFalls() {
    var cold = new Gpu(99, 420, 12_000, 1200);

    var found =
        only(
            judged(
                8, SlowGpuTest::rising, (rank, at) -> slow(at) ? rank == 3 ? cold : WAITS : WORKS));

    assertThat(found.ranks()).containsExactly(3);
    assertThat(found.cause()).isEqualTo("gpu-clock");
  }

  @Test
  void seesARankThatWorksOnWhileTheOthersWait() {
    var found =
        only(judged(4, SlowGpuTest::rising, (rank, at) -> slow(at) && rank != 2 ? WAITS : WORKS));

    assertThat(found.ranks()).containsExactly(2);
    assertThat(found.cause()).isEqualTo("unknown");
  }

  @Test
  void seesGpusThatHardlyWorkButForTheirSpinning() {
    // small kernels: all are busy for a tenth of the time, and spin when one is late
    var small = new Gpu(15, 190, 2_000, 1980);
    var spins = new Gpu(80, 150, 2_000, 1980);
    var late = new Gpu(12, 150, 2_000, 1980);

    var found =
        only(
            judged(
                4, SlowGpuTest::rising, (rank, at) -> slow(at) ? rank == 3 ? late : spins : small));

    assertThat(found.ranks()).containsExactly(3);
  }

  @Test
  void blamesNobodyWhereAllGpusWaitAlike() {
    assertThat(stragglers(judged(4, SlowGpuTest::rising, (_, at) -> slow(at) ? WAITS : WORKS)))
        .isEmpty();
  }

  @Test
  void blamesNobodyForACheckpointOfRankZero() {
    var idle = new Gpu(0, 130, 12_000, 1980);
    IntToDoubleFunction checkpoint = step -> step == 150 ? 9_000 : 100;

    assertThat(
            stragglers(
                judged(
                    4,
                    checkpoint,
                    (rank, at) -> at >= 15 && at < 24 ? rank == 0 ? idle : WAITS : WORKS)))
        .isEmpty();
  }

  @Test
  void blamesNobodyForDutiesOfRankZeroThatSlowItsSteps() {
    // a checkpoint written in the background
    var busyHost = new Gpu(45, 380, 12_000, 1950);

    assertThat(
            stragglers(
                judged(
                    4,
                    SlowGpuTest::rising,
                    (rank, at) -> slow(at) ? rank == 0 ? busyHost : WAITS : WORKS)))
        .isEmpty();
  }

  @Test
  void blamesNobodyForAnEvaluationWithMoreMemory() {
    // rank 0 generates, in one long step; its allocator keeps what it took
    IntToDoubleFunction evaluation = step -> step == 150 ? 12_000 : 100;

    assertThat(
            stragglers(
                judged(
                    4,
                    evaluation,
                    (rank, at) ->
                        at < 15
                            ? WORKS
                            : at < 27
                                ? rank == 0 ? WORKS.holding(3_000) : WAITS
                                : rank == 0 ? WORKS.holding(3_000) : WORKS)))
        .isEmpty();
  }

  @Test
  void blamesNoStageOfAPipelineForWhatItAlwaysDoes() {
    // the last stage has the head: more memory and power all the time; a slow network slows all
    assertThat(
            stragglers(
                judged(
                    4,
                    SlowGpuTest::rising,
                    (rank, at) -> {
                      var stage = slow(at) ? new Gpu(97, 300, 12_000, 1950) : WORKS;
                      return rank == 3
                          ? new Gpu(stage.busy(), stage.watts() * 1.3, 19_000, 1900)
                          : stage;
                    })))
        .isEmpty();
  }

  @Test
  void blamesNobodyForAnUnevenPlacement() {
    // rank 1 shares its GPU with a service for the whole time; the network slows all
    assertThat(
            stragglers(
                judged(
                    4,
                    SlowGpuTest::rising,
                    (rank, at) ->
                        rank == 1
                            ? new Gpu(99, slow(at) ? 450 : 690, 20_000, 1800)
                            : slow(at) ? WAITS : WORKS)))
        .isEmpty();
  }

  @Test
  void blamesNobodyForTheFirstSteps() {
    var compiles = new Gpu(5, 130, 12_000, 1980);
    IntToDoubleFunction warmUp = step -> step < 100 ? 200 : 100;

    assertThat(
            stragglers(
                judged(4, warmUp, (rank, at) -> at < 20 ? rank == 0 ? compiles : WAITS : WORKS)))
        .isEmpty();
  }

  @Test
  void blamesNobodyForLongerSequencesOnAllRanks() {
    assertThat(
            stragglers(
                judged(
                    4,
                    SlowGpuTest::rising,
                    (rank, at) -> slow(at) ? WORKS.holding(rank == 2 ? 9_000 : 8_000) : WORKS)))
        .isEmpty();
  }

  @Test
  void blamesNobodyForMemoryAlone() {
    // the caching allocator of one rank grew when steps became slow for all
    assertThat(
            stragglers(
                judged(
                    4,
                    SlowGpuTest::rising,
                    (rank, at) -> slow(at) ? rank == 2 ? WAITS.holding(4_000) : WAITS : WORKS)))
        .isEmpty();
  }

  @Test
  void blamesNobodyForANeighbourThatSlowsNothing() {
    assertThat(
            stragglers(
                judged(
                    4,
                    _ -> 100,
                    (rank, at) -> slow(at) && rank == 2 ? new Gpu(99, 690, 16_000, 1860) : WORKS)))
        .isEmpty();
  }

  @Test
  void blamesNobodyWhereTwoStandApart() {
    var late = new Gpu(40, 380, 12_000, 1950);

    assertThat(
            stragglers(
                judged(
                    4,
                    SlowGpuTest::rising,
                    (rank, at) -> slow(at) ? rank < 2 ? late : WAITS : WORKS)))
        .isEmpty();
  }

  /// A rank that waits without spinning, as in a barrier on the CPU, looks as one that lags.
  @Test
  void doesNotBlameTheOneOfTwoThatWaitsQuietly() {
    var quiet = new Gpu(45, 380, 12_000, 1950);

    assertThat(
            stragglers(
                judged(
                    2, SlowGpuTest::rising, (rank, at) -> slow(at) && rank == 0 ? quiet : WORKS)))
        .isEmpty();
  }

  /// Steps of 100 ms of which one in fifty takes nine seconds more, while a GPU idles and the
  /// others spin.
  @Test
  void blamesTheRankWhoseGpuIdlesAgainAndAgain() {
    var found = only(stalling(_ -> 2));

    assertThat(found.ranks()).containsExactly(2);
    assertThat(found.cause()).isEqualTo("host");
    assertThat(found.summary()).contains("in all");
  }

  @Test
  void blamesNobodyForOnePauseNorForRank0NorForPausesThatMove() {
    assertThat(stragglers(stalling(stall -> stall == 3 ? 2 : -1))).isEmpty();
    assertThat(stragglers(stalling(_ -> 0))).isEmpty();
    assertThat(stragglers(stalling(stall -> stall % 4))).isEmpty();
  }

  /// @param who stands, by the number of the stall; -1 for nobody
  private static List<Finding> stalling(IntUnaryOperator who) {
    var idle = new Gpu(0, 110, 12_000, 1980);
    return judged(
        4,
        step -> step > 0 && step % 50 == 0 && who.applyAsInt(step / 50) >= 0 ? 9_100 : 100,
        (rank, at) -> {
          // a stall comes each 14 s: 49 steps of 0.1 s, then one of 9.1 s
          int stall = 1 + (int) ((at - 5) / 14);
          boolean stands = at >= 5 && (at - 5) % 14 < 9 && stall <= 7;
          int late = stands ? who.applyAsInt(stall) : -1;
          return late < 0 ? WORKS : late == rank ? idle : WAITS;
        });
  }

  /// Lines each ten steps, of which four tell what steps took before; the line of the first ten
  /// tells of the warm-up.
  @Test
  void blamesTheRankWhoseGpuIdlesFromFewLinesOn() {
    assertThat(only(idlingAfter(50, 0)).ranks()).containsExactly(2);
  }

  @Test
  void blamesNobodyWhereFewerLinesTellOfBefore() {
    assertThat(stragglers(idlingAfter(40, 0))).isEmpty();
    assertThat(stragglers(idlingAfter(50, 1_000))).as("resumed: warm-up is not over").isEmpty();
  }

  /// @param fast so many steps are of 0.8 s, those that follow of 1.6 s
  /// @param done steps of an earlier program
  private static List<Finding> idlingAfter(int fast, int done) {
    var late = new Gpu(49, 255, 64_000, 1980);
    var run = WrittenRun.of(1, 8, "P2P/CUMEM");
    double at = 5;
    double slowFrom = 0;
    for (int step = 1; step <= 170; step++) {
      at += step <= fast ? 0.8 : 1.6;
      slowFrom = step == fast ? at : slowFrom;
      if (step % 10 == 0) {
        run.line(
            at,
            "step %d/1170 loss=2.31 step_time=%.3fs"
                .formatted(done + step, step <= fast ? 0.8 : 1.6));
      }
    }
    double since = slowFrom;
    Trace trace = (rank, second) -> second < since ? WORKS : rank == 2 ? late : WAITS;
    return WrittenRun.recorded(run).with(trace.samples(8, -5, at + 5)).judged().findings();
  }

  @Test
  void blamesTheRankWhoseClockIsLowFromTheFirstStepOn() {
    var low = new Gpu(100, 340, 12_000, 1200);

    var found = only(judged(8, _ -> 250, (rank, _) -> rank == 5 ? low : WAITS));

    assertThat(found.ranks()).containsExactly(5);
    assertThat(found.cause()).isEqualTo("gpu-clock");
    assertThat(found.summary()).contains("1200 MHz").contains("1950 MHz");
  }

  /// A sample each five seconds stands for five.
  @Test
  void seesALowClockInFewSamples() {
    var low = new Gpu(100, 340, 12_000, 1200);

    var found = only(judged(8, _ -> 400, (rank, _) -> rank == 5 ? low : WAITS, 5));

    assertThat(found.ranks()).containsExactly(5);
    assertThat(found.summary()).contains("in 2 min");
  }

  @Test
  void blamesNobodyForClocksThatAllHaveOrThatDifferAnyway() {
    var low = new Gpu(100, 340, 12_000, 1200);
    var idle = new Gpu(30, 340, 12_000, 1200);

    assertThat(stragglers(judged(8, _ -> 250, (_, _) -> low))).isEmpty();
    assertThat(stragglers(judged(8, _ -> 250, (rank, _) -> rank == 5 || rank == 2 ? low : WAITS)))
        .isEmpty();
    assertThat(
            stragglers(
                judged(
                    8, _ -> 250, (rank, _) -> new Gpu(100, 690, 12_000, 1200 + 90 * rank * rank))))
        .isEmpty();
    assertThat(
            stragglers(
                judged(
                    8, _ -> 250, (rank, at) -> rank != 5 ? WAITS : (int) at % 2 == 0 ? low : idle)))
        .isEmpty();
    assertThat(stragglers(judged(2, _ -> 250, (rank, _) -> rank == 1 ? low : WAITS))).isEmpty();
  }

  @Test
  void blamesNobodyByChance() {
    for (long seed = 1; seed <= 60; seed++) {
      var random = new Random(seed);
      var steps = new Random(1000 + seed);
      double[] memory = {12_000, 12_000, 12_000, 12_000};
      var verdict =
          judged(
              4,
              step -> rising(step) * Math.exp(0.3 * steps.nextGaussian()),
              (rank, at) -> {
                memory[rank] += random.nextInt(20) == 0 ? 300 : 0;
                var usual = slow(at) ? WAITS : WORKS;
                return new Gpu(
                    Math.clamp(
                        usual.busy() - 40 * random.nextDouble() * random.nextDouble(), 0, 100),
                    usual.watts() * (0.85 + 0.3 * random.nextDouble()),
                    memory[rank],
                    usual.clock() * (0.93 + 0.07 * random.nextDouble()));
              });

      assertThat(stragglers(verdict)).as("seed " + seed).isEmpty();
    }
  }

  private static List<Finding> judged(int ranks, IntToDoubleFunction millis, Trace trace) {
    return judged(ranks, millis, trace, 1);
  }

  /// @param every so many seconds a sample
  private static List<Finding> judged(
      int ranks, IntToDoubleFunction millis, Trace trace, int every) {
    var run = WrittenRun.of(1, ranks, "P2P/CUMEM");
    double at = 0.6;
    for (int step = 0; step <= 400; step++) {
      if (step % 10 == 0) {
        run.line(at, "step %d/400 loss 2.3100".formatted(step));
      }
      at += millis.applyAsDouble(step) / 1000;
    }
    var all = trace.samples(ranks, -5, at + 5);
    var samples = IntStream.range(0, all.size()).filter(i -> i % every == 0).mapToObj(all::get);
    return WrittenRun.recorded(run).with(samples.toList()).judged().findings();
  }

  private static Finding only(List<Finding> findings) {
    assertThat(stragglers(findings)).hasSize(1);
    return stragglers(findings).getFirst();
  }

  private static List<Finding> stragglers(List<Finding> findings) {
    return findings.stream().filter(each -> each.kind() == FindingKind.STRAGGLER).toList();
  }
}
