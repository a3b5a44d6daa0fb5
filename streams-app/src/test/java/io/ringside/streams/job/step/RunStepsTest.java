package io.ringside.streams.job.step;

import static io.ringside.schemas.event.LogChunk.NO_TIME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.LineParser;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunStepsTest {
  private static final String FILE = "llama-node-0-0.log";
  private final RunSteps steps = new RunSteps();

  @Test
  void takesStepTimesFromTheDifferenceOfTwoBars() {
    for (int step = 1; step <= 12; step++) {
      int elapsed = 40 + 20 * step;
      read(
          "  6%%|▌         | %d/50 [%02d:%02d<15:21, 19.61s/it]"
              .formatted(step, elapsed / 60, elapsed % 60),
          null);
    }

    var bar = only();
    assertThat(bar.source()).isEqualTo(StepSource.PROGRESS_BAR);
    assertThat(bar.series().steps()).isEqualTo(10); // the first interval holds compilation
    assertThat(bar.series().segments())
        .allSatisfy(s -> assertThat(s.medianMillis()).isEqualTo(20_000));
    assertThat(bar.offsetNanos()).isEqualTo(NO_TIME);
  }

  /// What a program writes into a pipe comes in bunches: of three steps' lines now two, now four.
  @Test
  void takesStepTimesFromTheLoggersStampsWhereTheCarrierSeesBunches() {
    var begin = Instant.parse("2026-11-20T10:00:00Z");
    for (int step = 3; step <= 60; step += 3) {
      var written = begin.plusMillis(364L * step);
      var flushed = begin.plusMillis(728L * Math.ceilDiv(step, 2));
      read(
          "[2026-11-20 15:30:%02d,%03d] [INFO] [timer.py:259:stop] epoch=0/micro_step=%3$d/global_step=%3$d, RunningAvgSamplesPerSec=59.5, CurrSamplesPerSec=76.9, MemAllocated=0.45GB, MaxMemAllocated=1.48GB"
              .formatted(
                  Math.floorMod(written.getEpochSecond(), 60), written.getNano() / 1_000_000, step),
          flushed);
    }

    assertThat(only().series().segments().subList(1, 15))
        .allSatisfy(s -> assertThat(s.medianMillis()).isCloseTo(364, within(1.0)));
  }

  @Test
  void addsUpBarsOfShortStepsForTheirClockShowsWholeSeconds() {
    for (int second = 1; second <= 60; second++) {
      read(
          "  6%%|▌         | %d/1722 [00:%02d<15:21,  3.00it/s]".formatted(3 * second, second % 60),
          null);
    }

    assertThat(only().series().segments())
        .isNotEmpty()
        .allSatisfy(s -> assertThat(s.medianMillis()).isCloseTo(333, within(1.0)));
  }

  @Test
  void looksAtTheTrainersOwnBarOnly() {
    read("  Total optimization steps = 1,722", null);
    for (int second = 10; second <= 50; second += 10) {
      read(
          "Loading checkpoint shards:  25%%|██▌       | %d/40 [00:%02d<00:04,  1.40s/it]"
              .formatted(second / 2, second),
          null);
      read(" 40%%|████      | %d/125 [00:%02d<00:04,  1.40s/it]".formatted(second, second), null);
    }

    assertThat(steps.tracks()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Training: ", "Epoch 3: ", "loss: 1.23: ", "pp train: ", "[r0] Training: "})
  void takesBarsOfTrainingByTheirNames(String name) {
    draw(name);

    assertThat(steps.tracks()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Generating train split: ",
        "Tokenizing train: ",
        "Map (train): ",
        "eval on train: ",
        "Tokenize train: ",
        "load train: ",
        "Downloading: "
      })
  void takesNoBarsOfPreparation(String name) {
    draw(name);

    assertThat(steps.tracks()).isEmpty();
  }

  private void draw(String name) {
    for (int second = 10; second <= 50; second += 10) {
      read(
          name + " 40%%|████      | %d/125 [00:%02d<00:04,  1.40s/it]".formatted(second, second),
          null);
    }
  }

  @Test
  void takesBarsThatAreWrittenLateAtTheEarliestMomentThatFits() {
    var begin = Instant.parse("2026-11-20T10:00:00Z");
    for (int second = 10; second <= 55; second += 5) {
      // held back in a buffer, but never written before they were drawn
      var written = begin.plusSeconds(second < 30 ? 30 : 55);
      read(
          " 40%%|████      | %d/100 [00:%02d<00:04,  1.40s/it]".formatted(second, second), written);
    }

    assertThat(Nanos.instant(only().offsetNanos())).isEqualTo(begin);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[2026-11-20 20:34:51,953] [INFO] [logging.py:96:log_dist] [Rank 0] time (ms) | fwd: 124.70 | bwd: 174.24 | bwd_inner: 171.03 | bwd_allreduce: 3.01 | step: 16.41",
        "[Rank 0] time (ms) | fwd: 124.70 | bwd: 174.24 | bwd_inner: 171.03 | bwd_allreduce: 3.01 | step: 16.41",
        "[2023-06-20 20:34:51,953] [INFO] [logging.py:96:log_dist] [Rank 0] rank=0 time (ms) | forward: 124.70 | backward: 174.24 | backward_inner: 171.03 | backward_allreduce: 3.01 | step: 16.41",
      })
  void addsUpDeepSpeedsTimersOfAStep(String line) {
    read(line, null);

    assertThat(only().series().segments().getFirst().medianMillis())
        .isCloseTo(315.35, within(0.01));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[Rank 0] time (ms) | fwd_microstep: 64.33 | bwd_microstep: 86.82 | bwd_inner_microstep: 85.34 | bwd_allreduce_microstep: 1.35 | step_microstep: 0.05",
        "[Rank 0] time (ms) | optimizer_step: 2.49",
        // DeepSpeed 0.6.2 to 0.18.2 with a monitor: the timers were emptied before they were
        // printed
        "[Rank 0] time (ms) | fwd: 0.00 | bwd: 0.00 | bwd_inner: 0.00 | bwd_allreduce: 0.00 | step: 0.00",
      })
  void leavesOutTimersOfSomethingElse(String line) {
    read(line, null);

    assertThat(steps.tracks()).isEmpty();
  }

  @Test
  void countsStepsBetweenDeepSpeedsThroughputLinesByTheirOwnStamps() {
    for (int step = 5; step <= 60; step += 5) {
      read(
          "[2026-11-20 20:36:%02d,148] [INFO] [timer.py:259:stop] epoch=0/micro_step=%d/global_step=%d, RunningAvgSamplesPerSec=16.1, CurrSamplesPerSec=15.8, MemAllocated=0.75GB, MaxMemAllocated=1.78GB"
              .formatted(step - 5, 2 * step, step),
          null);
    }

    var track = only();
    assertThat(track.source()).isEqualTo(StepSource.DEEPSPEED_SAMPLES);
    assertThat(track.series().segments())
        .allSatisfy(s -> assertThat(s.medianMillis()).isCloseTo(1_000, within(0.1)));
    assertThat(steps.globalBatch(4)).as("16 samples: 4 ranks, 2 micro steps of 2").contains(16.0);
    assertThat(steps.samplesPerSecond()).isEqualTo(15.8);
  }

  @Test
  void readsMegatronsIterationsAndBeginsAnewWhenTheBatchRampsUp() {
    for (int iteration = 10; iteration <= 50; iteration += 10) {
      read(
          " [2026-02-01 10:00:%02d.123456] iteration %8d/     100 | consumed samples:         2560 | elapsed time per iteration (ms): 512.3 | learning rate: 1.000000E-05 | global batch size:   256 |"
              .formatted(iteration, iteration),
          null);
    }
    assertThat(only().series().segments()).hasSize(4);
    assertThat(only().series().steps()).isEqualTo(40);

    read(
        " iteration       60/     100 | consumed samples: 2560 | elapsed time per iteration (ms): 900.0 | global batch size:   512 |",
        null);
    read(
        " iteration       70/     100 | consumed samples: 2560 | elapsed time per iteration (ms): 910.0 | global batch size:   512 |",
        null);

    assertThat(only().series().segments()).hasSize(1);
    assertThat(only().series().segments().getFirst().medianMillis()).isCloseTo(910, within(0.01));
    assertThat(steps.globalBatch(8)).contains(512.0);
  }

  @Test
  void readsTheTrainersBatch() {
    read("  Total train batch size (w. parallel, distributed & accumulation) = 64", null);

    assertThat(steps.globalBatch(4)).contains(64.0);
  }

  @Test
  void addsUpTheWaitsOfTheTableWithStragglerEffectOnly() {
    for (var line :
        List.of(
            "Comm. Op            Message Size        Count               Total Latency(ms)   Avg Latency(ms)     tput_avg (Gbps)     busbw_avg (Gbps)",
            "all_reduce",
            "                    4.0 B               3                   3.53                1.18                1.18                0.39                ",
            "Comm. Op            Message Size        Count               Total comm lat(ms)  Total straggler(ms) Avg comm lat(ms)    Avg straggler(ms)",
            "all_gather_into_tensor",
            "                    256.0 B             731                 206.18              17.64               0.21                0.00                ",
            "all_reduce",
            "                    8.0 B               41                  65.27               4000.0              1.49                0.07                ",
            "log_summary_barrier",
            "                    0B                  1                   0.90                9000.0              0.90                0.00                ")) {
      read(line, null);
    }

    var own = steps.ownWaits().get(FILE);
    assertThat(own).isNotNull();
    assertThat(own.waitSeconds()).isCloseTo(4.01764, within(1e-6));
    assertThat(own.commSeconds()).isCloseTo(0.27145, within(1e-6));
    assertThat(own.lines()).hasSize(3);
  }

  /// Each pod's script prints a line now and then; Megatron's last rank alone prints all of them,
  /// to whichever file.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepsTheLinesThatTellBestHoweverManyFilesTellLess(boolean last) {
    for (int step = 1; step <= 20; step++) {
      for (int file = 0; file < 40; file++) {
        var name = "llama-node-%02d-0.log".formatted(file);
        if (file == (last ? 39 : 0)) {
          read(name, iteration(step), null);
        } else if (last || step > 10) {
          read(name, "step %d/66 compute_ms=6363.64 comm_ms=954.55".formatted(step), null);
        }
      }
    }

    assertThat(steps.tracks().iterator().next())
        .satisfies(
            best -> {
              assertThat(best.source()).isEqualTo(StepSource.MEGATRON);
              assertThat(best.series().steps()).isEqualTo(19);
            });
  }

  private static String iteration(int step) {
    return " iteration %8d/      66 | elapsed time per iteration (ms): 6363.6 | global batch size:   200 |"
        .formatted(step);
  }

  @Test
  void staysSmallHoweverLongTheRun() {
    for (int step = 0; step < 100_000; step++) {
      read(
          "[Rank 0] time (ms) | fwd: 100.00 | bwd: 190.00 | bwd_inner: 1.00 | bwd_allreduce: 1.00 | step: 10.00",
          null);
    }

    assertThat(only().series().steps()).isEqualTo(100_000);
    assertThat(only().series().segments()).hasSizeLessThanOrEqualTo(StepSeries.MAX_SEGMENTS);
    assertThat(only().series().segments().stream().mapToLong(StepSeries.Segment::steps).sum())
        .isEqualTo(100_000);
  }

  private void read(String line, @Nullable Instant written) {
    read(FILE, line, written);
  }

  private void read(String file, String line, @Nullable Instant written) {
    var text = Text.of(line);
    new LineParser(text)
        .parse(
            0,
            text.length(),
            (_, event, start, end) ->
                steps.note(
                    event,
                    file,
                    written == null ? NO_TIME : Nanos.of(written),
                    new Evidence(
                        written, "node-1", "llama-node-0-0", file, 0, text.substring(start, end))));
  }

  private StepTrack only() {
    assertThat(steps.tracks()).hasSize(1);
    return steps.tracks().iterator().next();
  }
}
