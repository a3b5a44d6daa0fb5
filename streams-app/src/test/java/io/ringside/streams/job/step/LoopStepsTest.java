package io.ringside.streams.job.step;

import static io.ringside.schemas.event.LogChunk.NO_TIME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.LineParser;
import io.ringside.streams.parse.event.LineOrigin;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Step times from lines that training loops word themselves.
class LoopStepsTest {
  private static final Instant BEGIN = Instant.parse("2026-11-20T10:00:00Z");
  private final RunSteps steps = new RunSteps();

  @Test
  void believesTheTimeThatALineStates() {
    for (int step = 0; step < 20; step++) {
      read("iter %d: loss 4.0863, time 561.94ms, mfu 15.34%%".formatted(step), null);
    }

    assertThat(only().source()).isEqualTo(StepSource.LOOP_TIMES);
    assertThat(only().series().steps()).isEqualTo(19);
    assertThat(only().series().segments().getLast().medianMillis()).isCloseTo(561.94, within(0.01));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-07-01 08:00:22 INFO sft: step %d/300 loss 9.9 global_batch 128 step_time 1.12s",
        "2026-07-01 08:00:22 INFO my.trainer: step %d loss 9.9 step_time 1.12s",
        "2026-07-01 08:00:22 | step %d | loss 9.9 | step_time 1.12s | batch 256",
        "2026-10-14 19:00:31,338 [INFO] [train] step     %d  loss 9.9  step_time 1.12s  tokens/s 327680",
        "2021-04-20 14:45:55 [INFO]\tEpoch=126, Step=%d/40001, loss=0.0083, step_time=1.12s",
        "INFO trainer: step %d loss 9.9 step_time 1.12s"
      })
  void readsBehindALoggersName(String line) {
    for (int step = 10; step <= 200; step += 10) {
      read(line.formatted(step), null);
    }

    assertThat(only().series().segments().getLast().medianMillis()).isCloseTo(1120, within(0.01));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-07-01 08:00:22 INFO eval: step %d loss 9.9 took 3.5s",
        "2026-07-01 08:00:22 [INFO] [eval] step %d loss 9.9",
        "2026-07-01 08:00:22 INFO validation: step %d/30 loss 9.9",
        "2026-07-01 08:00:22 INFO step_eval: step %d/30 loss 9.9"
      })
  void takesNoEvaluationByItsLoggersNameForTraining(String line) {
    for (int step = 10; step <= 200; step += 10) {
      read(line.formatted(step), null);
    }

    assertThat(steps.tracks()).isEmpty();
  }

  @Test
  void takesTheBatchThatALineStates() {
    for (int step = 10; step <= 200; step += 10) {
      read("step %d loss 9.9 global_batch_size=128 step_time 1.12s".formatted(step), null);
    }

    assertThat(steps.globalBatch(8)).hasValue(128.0);
    assertThat(only().series().steps()).isEqualTo(190);
  }

  /// Steps take longer by plan then.
  @Test
  void beginsAnewWhereTheBatchGrows() {
    for (int step = 10; step <= 400; step += 10) {
      int batch = step <= 200 ? 128 : 256;
      read(
          "step %d loss 9.9 global_batch_size=%d step_time %.2fs"
              .formatted(step, batch, batch / 100.0),
          null);
    }

    assertThat(only().series().segments())
        .isNotEmpty()
        .allSatisfy(s -> assertThat(s.medianMillis()).isCloseTo(2560, within(0.01)));
  }

  /// As trackers of experiments write them, with sections in the names and the time first.
  @Test
  void readsATrackersObjects() {
    for (int step = 10; step <= 200; step += 10) {
      read(
          "{\"_timestamp\": 1786237211.959, \"step\": %d, \"train/loss\": 4.4, \"perf/step_time\": 1.196, \"perf/data_time\": 0.011}"
              .formatted(step),
          null);
    }

    assertThat(only().source()).isEqualTo(StepSource.LOOP_TIMES);
    assertThat(only().series().segments().getLast().medianMillis()).isCloseTo(1196, within(0.01));
  }

  @Test
  void takesNoTimeOfAnEvaluationForAStep() {
    for (int step = 10; step <= 200; step += 10) {
      read(
          "{\"_timestamp\": 1786237211.959, \"step\": %d, \"eval/step_time\": 9.5}".formatted(step),
          null);
    }

    assertThat(steps.tracks()).isEmpty();
  }

  @Test
  void takesTheDifferenceOfStampsWhereNoTimeIsStated() {
    for (int step = 10; step <= 100; step += 10) {
      read(
          "step %d/280 loss 2.4600".formatted(step),
          BEGIN.plusMillis(86L * step)); // the carrier's stamp
    }

    assertThat(only().source()).isEqualTo(StepSource.LOOP_STEPS);
    assertThat(only().series().segments().getLast().medianMillis()).isCloseTo(86, within(0.01));
  }

  /// A script that trains models of several sizes, one after the other.
  @Test
  void beginsAnewWhereAnotherRunDoes() {
    for (int run = 0; run < 2; run++) {
      for (int step = 0; step < 1600; step += 20) {
        read(
            "step %d/%d loss: 3.1 | dt: %dms".formatted(step, 1600 + 2 * run, 200 + 180 * run),
            null);
      }
    }

    assertThat(only().series().segments())
        .isNotEmpty()
        .allSatisfy(s -> assertThat(s.medianMillis()).isCloseTo(380, within(0.01)));
  }

  @Test
  void goesOnInTheNextEpoch() {
    for (int epoch = 0; epoch < 2; epoch++) {
      for (int step = 0; step < 400; step += 20) {
        read("epoch %d step %d/400 loss: 3.1 | dt: 200ms".formatted(epoch, step), null);
      }
    }

    assertThat(only().series().steps()).isEqualTo(760);
  }

  @Test
  void takesALoggersOwnStampWhereTheCarrierHasNone() {
    for (int step = 1; step <= 9; step++) {
      read(
          "[rank0]:[titan] 2025-06-16 22:30:0%d,500 - root - INFO - step: %2d  loss:  6.1384  memory: 49.66GiB(52.28%%)  tps: 5,856  tflops: 339.16  mfu: 34.29%%"
              .formatted(step, step),
          null);
    }

    assertThat(only().series().segments().getLast().medianMillis()).isCloseTo(1000, within(0.01));
  }

  @Test
  void countsAStepOnceWhereAllRanksPrintIt() {
    for (int step = 1; step <= 12; step++) {
      for (int rank = 0; rank < 4; rank++) {
        int seen = rank == 3 ? step - 1 : step; // one is behind
        read(
            "[rank%d]: step %d loss 2.1".formatted(rank, seen),
            BEGIN.plusMillis(1000L * step + 123));
      }
    }

    assertThat(only().series().steps()).isEqualTo(10);
    assertThat(only().series().segments())
        .allSatisfy(s -> assertThat(s.medianMillis()).isCloseTo(1000, within(0.01)));
  }

  @Test
  void addsUpWholeSecondsUntilTheyTellSomething() {
    for (int step = 1; step <= 100; step++) {
      read("step %d loss 2.1".formatted(step), BEGIN.plusSeconds(step * 7 / 10));
    }

    assertThat(only().series().segments())
        .isNotEmpty()
        .allSatisfy(s -> assertThat(s.medianMillis()).isCloseTo(700, within(50.0)));
  }

  @Test
  void placesTheStepsOfALaterEpochsBarBehindThoseOfTheFirst() {
    for (int epoch = 0; epoch < 2; epoch++) {
      for (int second = 10; second <= 50; second += 10) {
        read(
            "Epoch %d:  22%%|██▏       | %d/60 [00:%02d<01:02,  1.00it/s, loss=9.9, v_num=1]"
                .formatted(epoch, second, second),
            BEGIN.plusSeconds(100L * epoch + second));
      }
    }

    var bar = only();
    var last = bar.series().segments().getLast();
    assertThat(Nanos.instant(last.untilNanos() + bar.offsetNanos()))
        .isEqualTo(BEGIN.plusSeconds(150));
  }

  @Test
  void readsBarsWithoutARateAndBarsThatCountBatches() {
    for (int second = 10; second <= 50; second += 10) {
      read(
          "Epoch 1: :  10%%|█         | %d/100 [00:%02d<05:00, reduced_train_loss=2.310, train_step_timing in s=1.010]"
              .formatted(second, second),
          null);
      read(
          "train          Epoch   0:   25%%|██▌  | %d/938 [00:%02d<00:33,  2.00ba/s, loss/train/total=0.2213]"
              .formatted(2 * second, second),
          null);
    }

    assertThat(steps.tracks()).hasSize(2);
  }

  @Test
  void leavesOutWhatIsNoStepOfTraining() {
    read("step 1/5: downloading the dataset", BEGIN);
    read("Step 3/10 : RUN pip install torch", BEGIN);
    read("step 3000: train loss 4.0390, val loss 4.0427", BEGIN);
    read("Epoch 2/10: validation loss 2.31", BEGIN);
    read("iteration over 300 files begins", BEGIN);

    assertThat(steps.observations()).isZero();
  }

  private StepTrack only() {
    assertThat(steps.tracks()).hasSize(1);
    return steps.tracks().iterator().next();
  }

  private void read(String line, @Nullable Instant at) {
    var text = Text.of(line);
    new LineParser(text)
        .parse(
            0,
            text.length(),
            (_, event, _, _) -> {
              if (!(event instanceof LineOrigin)) {
                steps.note(
                    event,
                    "llama-node-0-0.log",
                    at == null ? NO_TIME : Nanos.of(at),
                    new Evidence(null, "", "", "", -1, line));
              }
            });
  }
}
