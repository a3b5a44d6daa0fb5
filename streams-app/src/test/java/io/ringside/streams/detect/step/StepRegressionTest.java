package io.ringside.streams.detect.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.recorded.WrittenRun;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StepRegressionTest {
  /// Of 18 lines how long ranks paused in their steps, in units of 3 ms.
  private static final List<Integer> PAUSES =
      List.of(117, 0, 73, 0, 0, 90, 104, 201, 0, 85, 99, 45, 97, 0, 74, 0, 90, 139);

  private static final String BATCH =
      "  Total train batch size (w. parallel, distributed & accumulation) = ";

  @Test
  void tellsOfStepsThatTakeLongerThanBefore() {
    var found = only(WrittenRun.judged(trained(1, 200, step -> step < 100 ? 500 : 900)).findings());

    assertThat(found.severity()).isEqualTo(Severity.WARNING);
    assertThat(found.summary()).contains("1.8 times as long").contains("900 ms instead of 500 ms");
    assertThat(found.since()).isEqualTo(Instant.parse("2026-11-20T11:00:50Z"));
    assertThat(found.cost().slowdown()).isCloseTo(1.8, within(0.01));
    // 100 steps, 0.4 s longer each, four GPUs
    assertThat(found.cost().gpuSeconds()).isCloseTo(160, within(2.0));
    assertThat(found.evidence()).hasSize(3);
  }

  /// A leak: no two steps after one another differ, the first and the last do.
  @Test
  void tellsOfStepsThatGrowSlowly() {
    var random = new Random(3);
    var found =
        only(
            WrittenRun.judged(
                    trained(
                        1,
                        1100,
                        step ->
                            500 * (1 + Math.max(0, step - 220) * 0.6 / 880)
                                + 10 * random.nextGaussian()))
                .findings());

    assertThat(found.severity()).isEqualTo(Severity.WARNING);
    assertThat(found.cost().slowdown()).isBetween(1.25, 1.5);
  }

  @Test
  void saysNothingOfStepsThatGrowALittle() {
    var random = new Random(3);
    assertThat(
            regressions(
                WrittenRun.judged(
                        trained(
                            1,
                            1100,
                            step -> 500 * (1 + step * 0.2 / 1100) + 10 * random.nextGaussian()))
                    .findings()))
        .isEmpty();
  }

  @Test
  void saysWhenStepsAreBack() {
    var found =
        only(
            WrittenRun.judged(trained(1, 300, step -> step >= 100 && step < 160 ? 900 : 500))
                .findings());

    assertThat(found.state()).isEqualTo(Finding.State.CLEARED);
    assertThat(found.summary()).contains("for 60 steps");
    assertThat(found.until()).isEqualTo(Instant.parse("2026-11-20T11:01:44Z"));
  }

  /// Megatron-DeepSpeed's curriculum.
  @Test
  void saysNothingWhereTheSequencesGrow() {
    var lines = new ArrayList<String>();
    for (int step = 1; step <= 400; step++) {
      lines.add(
          " iteration %8d/    4000 | elapsed time per iteration (ms): %.1f | global batch size:   512 | lm loss: 9.7E+00 | actual seqlen: %5d |"
              .formatted(
                  step,
                  step < 200 ? 1000.0 + step % 7 : 2200.0 + step % 7,
                  step < 200 ? 256 : 512));
    }

    assertThat(regressions(judged(lines))).isEmpty();

    lines.replaceAll(line -> line.replace("actual seqlen:   512", "actual seqlen:   256"));
    assertThat(regressions(judged(lines))).isNotEmpty();
  }

  /// Reinforcement learning: the answers of the model grow, and steps with them. verl states the
  /// tokens of each step, beside its bar.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void saysNothingWhereTheAnswersGrow(boolean bar) {
    var lines = new ArrayList<String>();
    double elapsed = 0;
    for (int step = 1; step <= 300; step++) {
      double grown = step < 120 ? 1 : Math.min(2.4, 1 + (step - 120) / 60.0);
      double took = 50 * grown + step % 3;
      elapsed += took;
      lines.add(
          "(TaskRunner pid=20411) step:%d - actor/pg_loss:0.00100 - response_length/mean:738.9 - timing_s/gen:28.6 - timing_s/step:%.3f - perf/total_num_tokens:%.0f - perf/throughput:2068.8"
              .formatted(step, took, 940_948 * grown));
      if (bar) {
        lines.add(
            "(TaskRunner pid=20411) Training Progress: %3d%%|█         | %d/300 [%02d:%02d:%02d<1:00:00, %.2fs/it]"
                .formatted(
                    step / 3,
                    step,
                    (int) elapsed / 3600,
                    (int) elapsed / 60 % 60,
                    (int) elapsed % 60,
                    took));
      }
    }

    assertThat(regressions(judged(lines))).isEmpty();

    lines.replaceAll(line -> line.replaceAll("total_num_tokens:\\d+", "total_num_tokens:940948"));
    assertThat(regressions(judged(lines))).isNotEmpty();
  }

  /// TRL's GRPO trainer states the mean length of the answers in its metrics.
  @Test
  void saysNothingWhereTheCompletionsGrow() {
    var lines = new ArrayList<String>();
    double elapsed = 0;
    for (int step = 1; step <= 300; step++) {
      double grown = step < 120 ? 1 : 2.4;
      elapsed += 20 * grown;
      lines.add(
          "{'loss': 0.0, 'grad_norm': 1.5, 'completions/mean_length': %.1f, 'reward': 0.5, 'epoch': 0.02}"
              .formatted(180 * grown));
      lines.add(
          "%3d%%|█         | %d/300 [%d:%02d:%02d<1:00:00, 20.00s/it]"
              .formatted(
                  step / 3,
                  step,
                  (int) elapsed / 3600,
                  (int) elapsed / 60 % 60,
                  (int) elapsed % 60));
    }

    assertThat(regressions(judged(lines))).isEmpty();

    lines.replaceAll(line -> line.replaceAll("mean_length': [\\d.]+", "mean_length': 180"));
    assertThat(regressions(judged(lines))).isNotEmpty();
  }

  /// DeepSpeed's engine times the same steps, and its lines do not tell the length.
  @Test
  void saysNothingWhereAnotherLineTellsThatTheSequencesGrow() {
    var lines = new ArrayList<String>();
    for (int step = 5; step <= 1_000; step += 5) {
      double seconds = (step < 500 ? 1 : 2.2) + 0.001 * (step % 7);
      lines.add(
          " iteration %8d/    4000 | elapsed time per iteration (ms): %.1f | global batch size:   512 | lm loss: 9.7E+00 | actual seqlen: %5d |"
              .formatted(step, 1000 * seconds, step < 500 ? 256 : 512));
      lines.add(
          "steps: %d loss: 7.8269 iter time (s): %.3f samples/sec: %.3f"
              .formatted(step, seconds, 512 / seconds));
    }

    assertThat(regressions(judged(lines))).isEmpty();

    lines.removeIf(line -> line.startsWith(" iteration"));
    assertThat(regressions(judged(lines))).isNotEmpty();
  }

  /// As torch.compile tells with `TORCH_LOGS=recompiles`.
  @Test
  void saysNothingWhereInputsChangeTheirSize() {
    var resized =
        "[rank0]:V1119 07:03:58.816000 1180 torch/_dynamo/guards.py:3006] [0/1] [__recompiles]     - 0/0: tensor 'x' size mismatch at index 1. expected 197, actual 577";
    var lines = new ArrayList<String>();
    for (int step = 1; step <= 400; step++) {
      lines.add(
          "step %d/400 loss=7.5 step_ms=%.1f"
              .formatted(step, step <= 200 ? 205.0 + step % 5 : 480.0 + step % 5));
    }
    assertThat(regressions(judged(lines))).isNotEmpty();

    lines.add(200, resized);
    assertThat(regressions(judged(lines))).isEmpty();
  }

  /// MaxText says how fast it computes: a longer context is more work at the same speed.
  @Test
  void saysNothingWhereEachStepOfMaxTextComputesMore() {
    assertThat(regressions(judged(maxText(392.0, 392.0)))).isEmpty();
    assertThat(regressions(judged(maxText(392.0, 196.0))))
        .singleElement()
        .satisfies(found -> assertThat(found.severity()).isEqualTo(Severity.WARNING));
  }

  /// Steps of 5 s, and of 10 s from the two hundredth on.
  private static List<String> maxText(double before, double after) {
    var lines = new ArrayList<String>();
    for (int step = 0; step < 400; step++) {
      double late = step < 200 ? 1 : 2;
      lines.add(
          "completed step: %d, seconds: %.3f, TFLOP/s/device: %.3f, Tokens/s/device: 12667.757, total_weights: 1048576, loss: 9.1"
              .formatted(step, late * (5 + 0.01 * (step % 5)), step < 200 ? before : after));
    }
    return lines;
  }

  /// A longer context by schedule; and texts of any length, of which no step is like another.
  @Test
  void saysNothingWhereStepLinesTellOfLongerSequences() {
    assertThat(regressions(judged(sequences(step -> step < 200 ? 2048 : 4096)))).isEmpty();
    assertThat(regressions(judged(sequences(_ -> 2048)))).isNotEmpty();
    assertThat(regressions(judged(sequences(step -> 1500 + step * 37 % 500)))).isNotEmpty();
    assertThat(regressions(judged(sequences(step -> step % 20 == 0 ? 1800 : 2048)))).isNotEmpty();
  }

  /// Steps of 0.8 s, and of 1.7 s from the two hundredth on.
  private static List<String> sequences(IntUnaryOperator length) {
    var lines = new ArrayList<String>();
    for (int step = 0; step < 400; step++) {
      lines.add(
          "step %d seq_len %d loss 2.9980 step_time %.3f tokens/s 163355"
              .formatted(
                  step, length.applyAsInt(step), (step < 200 ? 0.8 : 1.7) + 0.002 * (step % 5)));
    }
    return lines;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[curriculum] max_seq_length 2048 -> 4096 from step 201",
        "Activating profiler for step 201",
        "STAGE:2026-02-21 15:15:48 101902:101902 ActivityProfilerController.cpp:294] Completed Stage: Warm Up",
        "[NeMo I 2026-05-06 17:00:34 nemo_logging:393] ====== Start nsys profiling ======",
        "torch.profiler: warmup done, recording steps 200-211 (with_stack=True)",
        "step 201: profiler started"
      })
  void saysNothingWhereTheProgramSaysThatItsStepsWillTakeLonger(String announced) {
    var lines = new ArrayList<String>();
    for (int step = 1; step <= 400; step++) {
      lines.add(
          "step %d/400 loss=7.5 step_ms=%.1f"
              .formatted(step, step <= 200 ? 205.0 + step % 5 : 410.0 + step % 5));
    }
    lines.add(200, announced);

    assertThat(regressions(judged(lines))).isEmpty();
  }

  /// Two runs in one log: compared where their step lines state the same batch.
  @ParameterizedTest
  @CsvSource({"128, 128, 1", "128, 256, 0", "0, 0, 0"})
  void comparesRunsByTheBatchThatTheirStepLinesState(int before, int after, int expected) {
    var lines = new ArrayList<String>();
    for (int run = 0; run < 2; run++) {
      for (int rank = 0; rank < 2; rank++) {
        lines.add(
            "h:%d:%d [%d] NCCL INFO ncclCommInitRank comm 0x5%d rank %d nranks 2 cudaDev %d nvmlDev %d busId %d000 commId 0x%d - Init COMPLETE"
                .formatted(
                    100 * run + rank,
                    100 * run + rank,
                    rank,
                    rank,
                    rank,
                    rank,
                    rank,
                    rank + 1,
                    77 + run));
      }
      for (int step = 10; step <= 300; step += 10) {
        int batch = run == 0 ? before : after;
        lines.add(
            "INFO sft: step %d/300 loss 9.5%s step_time %.2fs"
                .formatted(
                    step,
                    batch == 0 ? "" : " global_batch " + batch,
                    (run == 0 ? 1.1 : 3.3) + step % 7 / 100.0));
      }
    }

    assertThat(regressions(judged(lines))).hasSize(expected);
  }

  private static List<Finding> judged(List<String> lines) {
    return Recorded.of(Map.of("job.log", lines)).judged().findings();
  }

  @Test
  void saysNothingOfCheckpointsEvaluationsAndFirstSteps() {
    var random = new Random(7);
    var verdict =
        WrittenRun.judged(
            trained(
                1,
                400,
                step ->
                    step < 3
                        ? 20_000
                        : step % 50 == 0 ? 15_000 : 500 + 40 * random.nextGaussian()));

    assertThat(regressions(verdict.findings())).isEmpty();
  }

  /// Ranks that collect garbage on different steps: most lines of a while hold a pause, and those
  /// between are as ever.
  @Test
  void saysNothingOfPausesThatComeOftenForAWhile() {
    var verdict =
        WrittenRun.judged(
            trained(
                1,
                120,
                line -> 843 + 3 * (line < 16 || line >= 34 ? line % 3 : PAUSES.get(line - 16))));

    assertThat(regressions(verdict.findings())).isEmpty();
  }

  /// The same pauses on steps that are longer themselves.
  @Test
  void tellsOfLongerStepsBesidePauses() {
    var verdict =
        WrittenRun.judged(
            trained(
                1,
                34,
                line -> line < 16 ? 843 + 3 * (line % 3) : 1100 + 3 * PAUSES.get(line - 16)));

    assertThat(regressions(verdict.findings())).hasSize(1);
  }

  @Test
  void saysNothingOfStepsThatVaryWithTheLengthOfSequences() {
    for (long seed = 1; seed <= 40; seed++) {
      var random = new Random(seed);
      var verdict =
          WrittenRun.judged(trained(1, 400, _ -> 300 * Math.exp(0.4 * random.nextGaussian())));

      assertThat(regressions(verdict.findings())).as("seed " + seed).isEmpty();
    }
  }

  /// One batch in ten takes longer on one of eight ranks: more than half of all steps wait for one.
  @Test
  void saysNothingOfAFewLongBatchesInARow() {
    for (long seed = 1; seed <= 40; seed++) {
      var random = new Random(seed);
      var verdict = WrittenRun.judged(trained(1, 40, _ -> 550 + longest(8, 180, random)));

      assertThat(regressions(verdict.findings())).as("seed " + seed).isEmpty();
    }
  }

  /// Milliseconds by which the longest of some ranks' batches exceeds the usual.
  private static double longest(int ranks, double tail, Random random) {
    double most = 0;
    for (int rank = 0; rank < ranks; rank++) {
      if (random.nextDouble() < 0.1) {
        most = Math.max(most, -tail * Math.log(1 - random.nextDouble()));
      }
    }
    return most;
  }

  @Test
  void saysNothingOfAStepTimeThatNeverWasShorter() {
    assertThat(regressions(WrittenRun.judged(trained(1, 200, _ -> 900)).findings())).isEmpty();
  }

  @Test
  void comparesWithTheLastGoodRunOfTheSameBatchAndNamesTheTransport() {
    var good = trained(1, 60, _ -> 500).line(0.6, BATCH + 64);
    var bad = slow(2, "SHM/direct/direct", 900).line(0.6, BATCH + 64);
    var worse = slow(3, "SHM/direct/direct", 950).line(0.6, BATCH + 64);

    var found = regressions(WrittenRun.judged(good, bad, worse).findings());

    assertThat(found).hasSize(2);
    assertThat(found)
        .extracting(Finding::run)
        .containsExactly("0x000000000000abc2", "0x000000000000abc3");
    assertThat(found.getFirst().summary()).contains("900 ms instead of 500 ms");
    assertThat(found.getFirst().cause()).contains("P2P/CUMEM to SHM/direct/direct");
    assertThat(found.getLast().expected())
        .as("a bad run is no measure of the next")
        .contains("500 ms")
        .contains("attempt 1");
    assertThat(found.getFirst().cost().gpuSeconds()).isCloseTo(60 * 0.4 * 4, within(10.0));
  }

  /// DeepSpeed's lines of every other step, long and short ones in turn: how long they take varies
  /// too much to tell, and the loop's own lines tell it.
  @ParameterizedTest
  @CsvSource({"500, 650, false", "650, 650, true"})
  void aRunThatGotSlowerOnItsWayWasAsGoodAsTheLast(
      double before, double after, boolean slowerFromTheBeginning) {
    var verdict =
        WrittenRun.judged(
            seenTwice(1, _ -> 530),
            seenTwice(2, step -> (step < 200 ? before : after) + (step % 4 < 2 ? 120 : 0)));

    assertThat(regressions(verdict.findings()))
        .singleElement()
        .satisfies(
            found ->
                assertThat(found.summary())
                    .contains(slowerFromTheBeginning ? "in the last good run" : "as before"));
  }

  private static WrittenRun seenTwice(int attempt, IntToDoubleFunction millis) {
    var run = WrittenRun.of(attempt, 4, "P2P/CUMEM").line(0.6, BATCH + 64);
    double at = 1;
    for (int step = 1; step <= 700; step++) {
      at += millis.applyAsDouble(step) / 1000;
      if (step % 2 == 1) {
        run.line(
            at,
            "[2026-11-20 %1$tT,%1$tL] [INFO] [timer.py:259:stop] epoch=0/micro_step=%2$d/global_step=%2$d, RunningAvgSamplesPerSec=59.5, CurrSamplesPerSec=76.9, MemAllocated=0.45GB, MaxMemAllocated=1.48GB"
                .formatted(LocalTime.of(10 + attempt, 0).plusNanos(Math.round(at * 1e9)), step));
      }
      if (step % 8 == 0) {
        run.line(at, "step %d/700 loss=7.5".formatted(step));
      }
    }
    return run;
  }

  /// A script that starts one training after the other, of models of any size.
  @Test
  void doesNotCompareTrainingsOfWhichOneWasDoneBeforeTheOtherBegan() {
    var first = counted(205);
    var second = counted(390);
    var done = List.of("[titan] 2026-05-12 10:03:04,680 - root - INFO - Training completed");

    assertThat(regressions(judged(joined(first, done, second, done)))).isEmpty();
    assertThat(regressions(judged(joined(first, second)))).isNotEmpty(); // epochs may count so
    assertThat(regressions(judged(joined(first, done, counted(205), slower(390), done))))
        .isNotEmpty();
  }

  private static List<String> counted(double millis) {
    return steps(0, 200, millis);
  }

  private static List<String> slower(double millis) {
    return steps(200, 400, millis);
  }

  private static List<String> steps(int from, int to, double millis) {
    var lines = new ArrayList<String>();
    for (int step = from + 1; step <= to; step++) {
      lines.add("step %d loss=7.5 step_ms=%.1f".formatted(step, millis + step % 5));
    }
    return lines;
  }

  @SafeVarargs
  private static List<String> joined(List<String>... parts) {
    var all = new ArrayList<String>();
    for (var part : parts) {
      all.addAll(part);
    }
    return all;
  }

  @Test
  void doesNotCompareRunsOfAnotherOrAnUnknownBatch() {
    var good = trained(1, 60, _ -> 500).line(0.6, BATCH + 64);
    var larger = trained(2, 60, _ -> 900).line(0.6, BATCH + 128);
    var silent = trained(3, 60, _ -> 900);

    assertThat(regressions(WrittenRun.judged(good, larger, silent).findings())).isEmpty();
  }

  @Test
  void countsARestartInTheSameFileAsARunOfItsOwn() {
    var first = trained(1, 60, _ -> 500).line(0.6, BATCH + 64);
    var again = trained(2, 60, _ -> 800).line(0.6, BATCH + 64);

    var verdict = WrittenRun.judged(first.goesOnWith(again));

    assertThat(verdict.runs()).hasSize(2);
    assertThat(regressions(verdict.findings())).hasSize(1);
  }

  private static WrittenRun trained(int attempt, int steps, IntToDoubleFunction millis) {
    return train(WrittenRun.of(attempt, 4, "P2P/CUMEM"), steps, millis);
  }

  private static WrittenRun slow(int attempt, String transport, double millis) {
    return train(WrittenRun.of(attempt, 4, transport), 60, _ -> millis);
  }

  private static WrittenRun train(WrittenRun run, int steps, IntToDoubleFunction millis) {
    double at = 0;
    for (int step = 0; step < steps; step++) {
      double took = millis.applyAsDouble(step);
      at += took / 1000;
      run.timers(at, (took - 10) / 3, 2 * (took - 10) / 3);
    }
    return run;
  }

  private static Finding only(List<Finding> findings) {
    assertThat(regressions(findings)).hasSize(1);
    return regressions(findings).getFirst();
  }

  private static List<Finding> regressions(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.kind() == FindingKind.STEP_REGRESSION)
        .toList();
  }
}
