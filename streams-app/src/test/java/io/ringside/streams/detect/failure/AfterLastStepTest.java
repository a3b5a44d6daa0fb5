package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a run says on its way out once its work is done, and what is a failure all the same.
class AfterLastStepTest {
  private static final String STEP =
      "[rank4]:[titan] 2026-05-03 08:43:49,218 - root - INFO - step: 500 loss: 3.9 tps: 106";
  private static final String DONE =
      "[rank4]:[titan] 2026-05-03 08:44:07,523 - root - INFO - Training completed";
  private static final String TRACEBACK = "[rank4]:Traceback (most recent call last):";
  private static final String FRAME = "[rank4]:  File \"/work/store.py\", line 405, in close";

  private static final String LAST = "[01:57:02] step 2000/2000 | loss 0.00174 | 11.6 s/it";
  private static final String GONE =
      "[rank7]:[E814 01:57:12.984417033 ProcessGroupNCCL.cpp:542] [Rank 7] Collective WorkNCCL(SeqNum=19, OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=600000) raised the following async exception: NCCL error: unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5";
  private static final String RESULT =
      "ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error. ";
  private static final String DOWN =
      "[rank7]:[E814 01:57:14.856903117 ProcessGroupNCCL.cpp:636] [Rank 7] To avoid data inconsistency, we are taking the entire process down.";

  @Test
  void isNoFailureWhatPythonIgnoresAsItEnds() {
    var ignored =
        "[rank4]:Exception ignored while calling deallocator <function Store.__del__ at 0x7f25>:";
    var raised = "[rank4]:OSError: [Errno 9] Bad file descriptor";

    assertThat(failed(STEP, ignored, TRACEBACK, FRAME, raised)).isEmpty();
    assertThat(
            failed(STEP, "Exception ignored while the cache was filled", TRACEBACK, FRAME, raised))
        .isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PythonFinalizationError: cannot join thread at interpreter shutdown",
        "PythonFinalizationError: can't create new thread at interpreter shutdown",
        "RuntimeError: can't create new thread at interpreter shutdown",
        "RuntimeError: cannot schedule new futures after interpreter shutdown"
      })
  void isNoFailureWhatThreadsAreRefusedAfterTheWork(String refused) {
    var raised = "[rank4]:" + refused;

    assertThat(failed(STEP, DONE, TRACEBACK, FRAME, raised)).isEmpty();
    assertThat(failed(STEP, TRACEBACK, FRAME, raised)).isNotEmpty();
  }

  @Test
  void isAFailureWhatWentWrongBeforeThreadsWereRefused() {
    assertThat(
            failed(
                    STEP,
                    DONE,
                    TRACEBACK,
                    FRAME,
                    "[rank4]:OSError: [Errno 28] No space left on device: '/ckpt/step_500'",
                    TRACEBACK,
                    FRAME,
                    "[rank4]:RuntimeError: cannot schedule new futures after interpreter shutdown")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.DISK_FULL);
  }

  /// Threads may be refused first where the main one has failed.
  @Test
  void namesWhatTheMainThreadDiedOf() {
    assertThat(
            failed(
                    STEP,
                    TRACEBACK,
                    FRAME,
                    "[rank4]:RuntimeError: cannot schedule new futures after interpreter shutdown",
                    "[rank4]: " + "Traceback (most recent call last):",
                    "[rank4]: KeyError: 'lr'")
                .orElseThrow()
                .summary())
        .contains("KeyError");
  }

  @Test
  void isNoFailureThatPeersAreGoneAfterTheLastStep() {
    assertThat(failed(steps(LAST, GONE, RESULT, "  saved step002000.pt"))).isEmpty();
    assertThat(nccl(steps(LAST, GONE, RESULT)))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.severity()).isEqualTo(Severity.INFO);
              assertThat(error.cause()).contains("had made its last step");
            });
    assertThat(failed(STEP, DONE, GONE, RESULT)).isEmpty();
  }

  @Test
  void isAFailureThatPeersAreGoneBeforeTheLastStep() {
    assertThat(failed(steps(GONE, RESULT))).isNotEmpty();
    assertThat(nccl(steps(GONE, RESULT)))
        .singleElement()
        .satisfies(error -> assertThat(error.severity()).isEqualTo(Severity.WARNING));
    assertThat(failed(STEP, GONE, RESULT, DONE)).isNotEmpty();
    assertThat(failed(STEP, DONE, "step 1/500 loss 0.1", GONE, RESULT)).isNotEmpty();
  }

  /// As where the last checkpoint needs the peers.
  @Test
  void isAFailureWhereAProcessEnds() {
    assertThat(failed(steps(LAST, GONE, RESULT, DOWN))).isNotEmpty();
    assertThat(
            failed(
                steps(
                    LAST,
                    GONE,
                    RESULT,
                    "E0814 01:57:34.231000 641 site-packages/torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -6) local_rank: 7 (pid: 659) of binary: /opt/venv/bin/python3")))
        .isNotEmpty();
    assertThat(
            failed(
                    steps(
                        LAST,
                        GONE,
                        RESULT,
                        "Traceback (most recent call last):",
                        "  File \"/work/train.py\", line 81, in save",
                        "OSError: [Errno 28] No space left on device: '/ckpt/step_2000'"))
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.DISK_FULL);
  }

  /// Of an epoch's last step, of a counter that begins anew, and of a bar that may be an epoch's
  /// nobody knows whether it is the run's.
  @Test
  void isAFailureWhereAnotherEpochMayFollow() {
    assertThat(
            failed("epoch 1 step 499/500 loss 0.1", "epoch 1 step 500/500 loss 0.1", GONE, RESULT))
        .isNotEmpty();
    assertThat(
            failed(
                "step 250/500 loss 0.1",
                "step 500/500 loss 0.1",
                "step 250/500 loss 0.1",
                "step 500/500 loss 0.1",
                GONE,
                RESULT))
        .isNotEmpty();
    assertThat(
            failed(
                " 99%|#########9| 499/500 [01:39<00:01,  5.00it/s]",
                "100%|##########| 500/500 [01:40<00:00,  5.00it/s]", GONE, RESULT))
        .isNotEmpty();
    assertThat(
            failed(
                "step 500/2000 loss 0.1",
                "100%|##########| 50/50 [00:10<00:00,  5.00it/s]",
                GONE,
                RESULT))
        .isNotEmpty();
  }

  private static String[] steps(String... last) {
    var lines = new ArrayList<String>();
    for (int step = 1900; step < 2000; step += 20) {
      lines.add("[01:%d:22] step %d/2000 | loss 0.00174 | 11.6 s/it".formatted(step / 100, step));
    }
    lines.addAll(List.of(last));
    return lines.toArray(String[]::new);
  }

  private static Optional<Finding> failed(String... lines) {
    return found(FindingKind.JOB_FAILED, lines).stream().findFirst();
  }

  private static List<Finding> nccl(String... lines) {
    return found(FindingKind.NCCL_ERROR, lines);
  }

  private static List<Finding> found(FindingKind kind, String... lines) {
    return Recorded.of(Map.of("job.log", Arrays.asList(lines))).judged().findings().stream()
        .filter(finding -> finding.kind() == kind)
        .toList();
  }
}
