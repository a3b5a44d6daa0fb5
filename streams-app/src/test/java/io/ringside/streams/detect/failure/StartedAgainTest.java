package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A job of four ranks without NCCL's lines, whose workers torchrun starts again.
class StartedAgainTest {
  private static final String FAILED =
      "E1012 09:14:31.411000 612 torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: %d) local_rank: %d (pid: 640) of binary: /usr/bin/python3";

  private static final String AGAIN =
      "I1012 09:14:31.420000 612 torch/distributed/elastic/agent/server/api.py:930] [default] Worker group FAILED. 2/3 attempts left; will restart worker group";

  private static final String MEETS =
      "I1012 09:14:33.420000 612 torch/distributed/elastic/agent/server/api.py:525] [default] Rendezvous complete for workers. Result:";

  private final List<String> lines = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tellsTheAttemptThatDiedAndTheOneThatTrainsOn(boolean torchrunTells) {
    train(40);
    outOfMemory(3);
    if (torchrunTells) {
      say(AGAIN, MEETS);
    }
    train(40);

    var told = told();
    assertThat(told.runs()).hasSize(2);
    assertThat(told.runs().getFirst().state()).isEqualTo(RunSummary.State.FAILED);
    assertThat(told.runs().getLast().state()).isEqualTo(RunSummary.State.ENDED);
    assertThat(told.runs()).extracting(RunSummary::attempt).containsExactly(1, 2);
    var died = deaths(told);
    assertThat(died)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.run()).isEqualTo(told.runs().getFirst().run());
              assertThat(it.failureClass()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
              assertThat(it.ranks()).containsExactly(3);
              assertThat(it.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(it.summary()).endsWith("; its workers were started again");
            });
  }

  @Test
  void tellsEachAttemptThatDied() {
    train(40);
    outOfMemory(3);
    say(AGAIN, MEETS);
    train(40);
    say(FAILED.formatted(-11, 1));

    var died = deaths(told());
    assertThat(died)
        .extracting(Finding::failureClass)
        .containsExactly(FailureClass.GPU_OUT_OF_MEMORY, FailureClass.SEGFAULT);
    assertThat(died).extracting(Finding::severity).endsWith(Severity.CRITICAL);
  }

  @Test
  void tellsAnAttemptThatDiedBeforeItsFirstStep() {
    say(FAILED.formatted(-11, 0), AGAIN, MEETS);
    train(40);

    assertThat(deaths(told()))
        .singleElement()
        .satisfies(it -> assertThat(it.failureClass()).isEqualTo(FailureClass.SEGFAULT));
  }

  /// What other ranks had printed comes after torchrun's word.
  @Test
  void beginsNoAttemptByTheLastStepsOfOthers() {
    train(40);
    outOfMemory(3);
    say(step(40), step(41));

    var told = told();
    assertThat(told.runs()).hasSize(1);
    assertThat(deaths(told))
        .singleElement()
        .satisfies(it -> assertThat(it.severity()).isEqualTo(Severity.CRITICAL));
  }

  @Test
  void comparesNoStepsOfTwoAttempts() {
    train(40);
    outOfMemory(3);
    say(AGAIN, MEETS);
    for (int step = 0; step < 40; step++) {
      say("iter %d: loss 2.9, time 900.10ms, mfu 31.00%%".formatted(step));
    }

    assertThat(told().findings()).noneMatch(found -> found.kind() == FindingKind.STEP_REGRESSION);
  }

  /// Whoever catches its exception and whom no launcher saw end goes on in the same attempt.
  @Test
  void beginsNoAttemptWhereAnExceptionWasCaught() {
    train(40);
    say(
        "Traceback (most recent call last):",
        "  File \"/opt/llm/train.py\", line 90, in validate",
        "ValueError: empty batch");
    train(40);

    var told = told();
    assertThat(told.runs()).hasSize(1);
    assertThat(deaths(told)).isEmpty();
  }

  private static final String BANNER =
      "W1012 09:15:31.420000 700 torch/distributed/run.py:774] Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded";

  private static final String NODE_DIED =
      "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.";

  /// A loop of a script starts a launcher again that was killed.
  @ParameterizedTest
  @CsvSource({
    "torchrun --nproc_per_node=4 fit.py, W",
    "torchrun --nproc_per_node=4 fit.py, + torchrun --nproc_per_node=4 fit.py",
    "deepspeed fit.py, + deepspeed fit.py",
    "python3 train.py, + python3 train.py",
  })
  void tellsTheAttemptThatAShellSawKilled(String killed, String again) {
    train(40);
    say("loop.sh: line 7: 20114 Killed                  " + killed, "exit code 137");
    say(again.equals("W") ? BANNER : again);
    train(40);

    var told = told();
    assertThat(told.runs()).hasSize(2);
    assertThat(told.runs().getLast().state()).isEqualTo(RunSummary.State.ENDED);
    assertThat(deaths(told))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.run()).isEqualTo(told.runs().getFirst().run());
              assertThat(it.failureClass()).isEqualTo(FailureClass.KILLED);
              assertThat(it.summary()).endsWith("; its workers were started again");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(TorchTrainer pid=700, ip=10.8.0.4) Started distributed worker processes: ",
        "(TorchTrainer pid=700, ip=10.8.0.4) Restored on 10.8.0.4 from checkpoint: Checkpoint(filesystem=local, path=/ckpt/7)",
      })
  void tellsTheAttemptOfWhichRayLostANode(String again) {
    train(40);
    say(
        "Traceback (most recent call last):",
        "  File \"/opt/ray/train/backend_executor.py\", line 590, in get_with_failure_handling",
        NODE_DIED,
        "The actor is dead because its node has died. Node Id: 5fa0",
        again);
    train(40);

    var told = told();
    assertThat(told.runs()).hasSize(2);
    assertThat(deaths(told))
        .singleElement()
        .satisfies(it -> assertThat(it.failureClass()).isEqualTo(FailureClass.NODE_LOST));
  }

  /// What a script ends or does without, beside the training or before it.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "loop.sh: line 7: 20114 Killed                  python -m sglang.launch_server --port 30000",
        "loop.sh: line 7: 20114 Killed                  timeout -s KILL 60 torchrun bench.py",
        "loop.sh: line 7: 20114 Killed                  tail -f out.log",
        "Killed",
      })
  void whatIsKilledOnTheWayIsNoAttempt(String killed) {
    train(40);
    say(killed, BANNER);
    train(40);

    assertThat(told().runs()).hasSize(1);
    assertThat(deaths(told())).isEmpty();
  }

  /// A leftover of the job before is killed, and this one starts for the first time.
  @Test
  void whatIsKilledBeforeTheFirstStepIsNoAttempt() {
    say("loop.sh: line 7: 20114 Killed                  torchrun old.py", BANNER);
    train(40);

    assertThat(told().runs()).hasSize(1);
    assertThat(deaths(told())).isEmpty();
  }

  /// One of two, and later a launcher that starts something else.
  @Test
  void theOtherOneTrainsOn() {
    train(40);
    say("loop.sh: line 7: 20114 Killed                  torchrun --nproc_per_node=4 probe.py");
    train(40);
    say(BANNER);
    train(40);

    assertThat(told().runs()).hasSize(1);
    assertThat(deaths(told())).isEmpty();
  }

  private void train(int steps) {
    for (int step = 0; step < steps; step++) {
      say(step(step));
    }
  }

  private static String step(int step) {
    return "iter %d: loss 3.0, time 300.10ms, mfu 31.00%%".formatted(step);
  }

  private void outOfMemory(int rank) {
    var prefix = "[rank%d]: ".formatted(rank);
    say(
        prefix + "Traceback (most recent call last):",
        prefix + "  File \"/opt/llm/train.py\", line 61, in step",
        prefix + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB.",
        FAILED.formatted(1, rank));
  }

  private void say(String... said) {
    lines.addAll(List.of(said));
  }

  private Judge.Verdict told() {
    return Recorded.of(Map.of("job.log", lines)).judged();
  }

  private static List<Finding> deaths(Judge.Verdict told) {
    return told.findings().stream()
        .filter(found -> found.kind() == FindingKind.JOB_FAILED)
        .toList();
  }
}
