package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Attempts, tasks and processes of which one failed and others went on or waited.
class FirstToFailTest {
  private static final String LIMIT =
      "0: slurmstepd: error: *** STEP 71.0 ON n7 CANCELLED AT 2026-11-19T14:08:52 DUE TO TIME LIMIT ***";
  private static final String TASK_2 = "srun: error: n7: task 2: Exited with exit code 1";
  private static final String RETURNED =
      "{'train_runtime': 312.5, 'train_samples_per_second': 4.1, 'train_steps_per_second': 0.01, 'epoch': 1.0}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "srun: error: n7: tasks 0-1,3: Terminated",
        "srun: error: n7: tasks 0-1,3: Killed",
        "srun: error: n7: task 0: Terminated"
      })
  void aTaskThatEndedLongBeforeTheLimitLetTheOthersWait(String left) {
    var failed = failed("3: starting", TASK_2, "1: starting", LIMIT, left).orElseThrow();

    assertThat(failed.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(failed.ranks()).containsExactly(2);
    assertThat(failed.observed()).contains("exit code 1");
  }

  /// A step before it failed, or nothing tells whose task that was.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "srun: error: n7: tasks 0-3: Terminated",
        "srun: error: n7: tasks 1-2: Killed",
        "srun: Job step aborted: Waiting up to 32 seconds for job step to finish."
      })
  void aTaskOfAnotherStepIsNotWhyTheLimitWasReached(String left) {
    var failed = failed("3: starting", TASK_2, "1: starting", LIMIT, left).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.TIME_LIMIT);
    assertThat(failed.severity()).isEqualTo(Severity.INFO);
  }

  private static final String TASK_FAILURE =
      " 0: [2026-11-19T14:08:52.817] error: *** STEP 71.1 ON n7 CANCELLED AT 2026-11-19T14:08:52 DUE TO TASK FAILURE ***";

  @Test
  void tasksThatSlurmKillsOnceOneHasFailedAreNoCause() {
    var failed =
        failed(
                TASK_2,
                "srun: Terminating StepId=71.1",
                TASK_FAILURE,
                "srun: error: n8: tasks 4-7: Killed")
            .orElseThrow();

    assertThat(failed.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(failed.failureClass()).isEqualTo(FailureClass.UNKNOWN);
    assertThat(failed.ranks()).containsExactly(2);
  }

  @Test
  void aTaskThatWasKilledBeforeOthersFailedIsTheCause() {
    var failed =
        failed(
                "srun: error: n8: task 4: Killed",
                TASK_2,
                TASK_FAILURE,
                "srun: error: n7: task 3: Killed")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.KILLED);
    assertThat(failed.ranks()).containsExactly(4);
  }

  @Test
  void whatNcclRefusesIsNoEffectOfAnotherRank() {
    var failed =
        failed(
                "2: Traceback (most recent call last):",
                "2:   File \"/app/train.py\", line 35, in main",
                "2:     dist.init_process_group(device_id=device)",
                "2: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:93, invalid usage (run with NCCL_DEBUG=WARN for details), NCCL version 2.29.3",
                "2: ncclInvalidUsage: This usually reflects invalid usage of NCCL library.",
                "srun: error: n7: tasks 2-3: Exited with exit code 1",
                TASK_FAILURE,
                "srun: error: n8: tasks 4-7: Killed")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.NCCL);
    assertThat(failed.ranks()).isEmpty();
  }

  /// torchrun on another host loses the store of the one whose rank failed.
  @Test
  void aLostRendezvousFollowsFromTheProcessThatEndedBefore() {
    var lost =
        new String[] {
          "Traceback (most recent call last):",
          "  File \"/env/lib/python3.10/site-packages/torch/distributed/run.py\", line 797, in run",
          "    raise RendezvousConnectionError(",
          "torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d store has failed. See inner exception for details."
        };

    assertThat(failed(lost).orElseThrow().failureClass()).isEqualTo(FailureClass.NETWORK);
    var after = Stream.concat(Stream.of(TASK_2), Stream.of(lost)).toArray(String[]::new);
    assertThat(failed(after).orElseThrow())
        .extracting(Finding::failureClass, Finding::ranks)
        .containsExactly(FailureClass.UNKNOWN, List.of(2));
  }

  @Test
  void attemptsBeforeTheOneThatReturnedAreForgiven() {
    assertThat(failed("Killing subprocess 2210", "Killing subprocess 2211", RETURNED)).isEmpty();
    assertThat(failed(RETURNED, "Killing subprocess 2210").orElseThrow().severity())
        .isEqualTo(Severity.CRITICAL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(LLMRayActor pid=3478) CUDA Error: out of memory at /workspace/csrc/cumem_allocator.cpp:62 | GPU_OUT_OF_MEMORY",
        "CUDA Error: invalid argument at /workspace/csrc/cumem_allocator.cpp:119 | EXCEPTION",
        "(VllmWorkerProcess pid=232) ERROR 08-23 08:25:25 multiproc_worker_utils.py:226] Exception in worker VllmWorkerProcess while processing method init_device: NCCL error: unhandled system error (run with NCCL_DEBUG=INFO for details), Traceback (most recent call last): | NCCL",
        "(VllmWorkerProcess pid=9) ERROR 08-23 08:25:25 multiproc_worker_utils.py:226] Exception in worker VllmWorkerProcess while processing method load_model: CUDA out of memory. Tried to allocate 2.00 GiB, Traceback (most recent call last): | GPU_OUT_OF_MEMORY",
        "Error executing job with overrides: ['trainer.n_gpus_per_node=8'] | UNKNOWN",
        "(raylet) A worker died or was killed while executing a task by an unexpected system error. To troubleshoot the problem, check the logs for the dead worker. RayTask ID: ffffffffffffffff9697576811089192d478044801000000 Worker exit type: SYSTEM_ERROR | UNKNOWN",
        "RuntimeError: CUDA error: an illegal memory access was encountered                                  | EXCEPTION",
        "srun: error: Unable to create step for job 812: More processors requested than permitted | CONFIGURATION",
        "srun: error: Unable to allocate resources: Requested node configuration is not available | CONFIGURATION",
        "srun: error: Invalid --container-mounts argument: data/tokens:/tokens | CONFIGURATION",
        "sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified | CONFIGURATION",
        "Container rank 2 status failed cmd ['/opt/env/bin/python', '-u', 'train.py'] code -9 log log/workerlog.2 | KILLED",
        "Container rank 0 status failed cmd ['/opt/env/bin/python', '-u', 'train.py'] code 1 log log/workerlog.0 | UNKNOWN",
        "2026-11-20 14:11:16 Failed - Training job failed | UNKNOWN",
        "Exited with exit code 2. | UNKNOWN",
        "Exited by signal 9. The CPU time used is 3.2 seconds. | KILLED",
        "SystemError: (Fatal) Operator conv2d raises an paddle::memory::allocation::BadAlloc exception. | GPU_OUT_OF_MEMORY",
        "2026-11-20 16:03:15.140058: E external/org_tensorflow/tensorflow/core/distributed_runtime/coordination/coordination_service.cc:954] /job:jax_worker/replica:0/task:12 has been set to ERROR in coordination service: UNAVAILABLE: Task /job:jax_worker/replica:0/task:12 heartbeat timeout. This indicates that the remote task has failed | NODE_LOST",
      })
  void saysOfWhatItDied(String line, FailureClass expected) {
    assertThat(failed(line).orElseThrow().failureClass()).isEqualTo(expected);

    var goesOn = new ArrayList<>(List.of(line));
    for (int step = 12; step < 24; step++) {
      goesOn.add("step %d loss 2.1 time 0.3s".formatted(step));
    }
    assertThat(failed(goesOn.toArray(String[]::new))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "srun: error: Unable to create step for job 812: Job/step already completing or completed",
        "srun: error: Unable to create step for job 812: Job credential expired",
        "srun: Job 812 step creation temporarily disabled, retrying (Requested nodes are busy)",
        "Container rank 2 status completed cmd ['/opt/env/bin/python', '-u', 'train.py'] code 0 log log/workerlog.2",
        "2026-11-20 14:11:16 Completed - Training job completed",
        "Exited with exit code 0.",
        "Exited with exit code 3 as the tests demand",
      })
  void saysNothingOfAFailure(String line) {
    assertThat(failed(line)).isEmpty();
  }

  @Test
  void paddlesLauncherNamesTheRank() {
    var line =
        "Container rank 3 status failed cmd ['/usr/bin/python3', '-u', 'a.py'] code -6 log log/workerlog.3";

    assertThat(failed("LAUNCH INFO 2026-11-20 15:17:31,067 Pod failed", line).orElseThrow().ranks())
        .containsExactly(3);
  }

  /// Ray tries a task again, but no actor.
  @Test
  void aTaskOfRayIsTriedAgain() {
    assertThat(
            failed(
                "(raylet) A worker died or was killed while executing a task by an unexpected system error. To troubleshoot the problem, check the logs for the dead worker. RayTask ID: 32d950ec0ccf9d2affffffffffffffffffffffff01000000 Worker exit type: SYSTEM_ERROR"))
        .isEmpty();
  }

  private static final String GROUP = "] [PG ID 0 PG GUID 0(default_pg) Rank %d] ";
  private static final String DOWN =
      "Process group watchdog thread terminated with exception: CUDA error: %s";

  private static String down(int rank, String error) {
    return ("[rank%d]:[E304 11:22:33.%1$d04 ProcessGroupNCCL.cpp:2057" + GROUP)
            .formatted(rank, rank)
        + DOWN.formatted(error);
  }

  private static final String ILLEGAL = "an illegal memory access was encountered";

  /// It is a kernel of the process itself that failed.
  @ParameterizedTest
  @ValueSource(
      strings = {ILLEGAL, "device-side assert triggered", "uncorrectable ECC error encountered"})
  void aWatchdogThatSeesAKernelFailNamesItsOwnRank(String error) {
    var failed = failed(down(5, error)).orElseThrow();

    assertThat(failed.ranks()).containsExactly(5);
    assertThat(failed.summary()).contains("on rank 5");
  }

  /// Rank 2 waits in vain and says so first.
  @Test
  void whoseKernelFailedIsTheCauseNotWhoWaitedForIt() {
    var waits =
        "[rank2]:[E304 11:22:30.204 ProcessGroupNCCL.cpp:2057"
            + GROUP.formatted(2)
            + "Process group watchdog thread terminated with exception: NCCL error: remote process"
            + " exited or there was a network error, NCCL version 2.26.2";
    var failed = failed(waits, down(6, ILLEGAL)).orElseThrow();

    assertThat(failed.ranks()).containsExactly(6);
  }

  @Test
  void allWhoseKernelsFailedAtOnceAreNamed() {
    assertThat(failed(down(3, ILLEGAL), down(1, ILLEGAL)).orElseThrow().ranks())
        .containsExactly(1, 3);
  }

  @Test
  void theCallThatAFailedKernelSpoiltSaysMoreThanTheWatchdog() {
    var failed =
        failed(
                down(4, ILLEGAL),
                "[rank4]: Traceback (most recent call last):",
                "[rank4]:   File \"/workspace/sparse.py\", line 212, in gather",
                "[rank4]: torch.AcceleratorError: CUDA error: " + ILLEGAL)
            .orElseThrow();

    assertThat(failed.ranks()).containsExactly(4);
    assertThat(failed.observed()).contains("/workspace/sparse.py:212 in gather");
  }

  /// Whose watchdog speaks of a time-out has waited for another.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=71,"
            + " OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=600000) ran for 600017"
            + " milliseconds before timing out.",
        "NCCL error: remote process exited or there was a network error, NCCL version 2.26.2",
      })
  void aWatchdogThatWaitedBlamesNotItsOwnRank(String why) {
    var line =
        "[rank3]:[E304 11:22:33.304 ProcessGroupNCCL.cpp:2057"
            + GROUP.formatted(3)
            + "Process group watchdog thread terminated with exception: "
            + why;

    assertThat(failed(line).map(Finding::ranks).orElse(List.of())).isEmpty();
  }

  /// By Ray's memory monitor.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "The actor is dead because its worker process has died. Worker exit type: USER_ERROR Worker"
            + " exit detail: Task was killed due to the node running low on memory.",
        "(TrainActor pid=88) The actor is dead because its worker process has died. Worker exit"
            + " type: NODE_OUT_OF_MEMORY Worker exit detail: Task was killed due to the node"
            + " running low on memory.",
        "(raylet) [2026-03-04 05:06:07,888 E 71 71] (raylet) node_manager.cc:3041: 2 Workers (tasks"
            + " / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other"
            + " reasons at node (ID: 0badcafe, IP: 10.8.0.4) over the last time period.",
        "ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.",
        "Task was killed due to the node running low on memory.",
        "3 worker(s) were killed due to the node running low on memory. Memory on the node (IP:"
            + " 10.8.0.4, ID: 0badcafe) was 61.2GB / 64.0GB (0.956)",
      })
  void whatRaysMemoryMonitorKilledRanOutOfMemory(String line) {
    var failed = failed(line).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.OUT_OF_MEMORY);
    assertThat(failed.severity()).isEqualTo(Severity.CRITICAL);
  }

  /// Ray tries a task again. An actor that ended as its program wanted is no news.
  @Test
  void aRunThatGoesOnBehindRaysMemoryMonitorHasNotDied() {
    var actor = "The actor is dead because its worker process has died. Worker exit type: ";
    var killed =
        actor
            + "USER_ERROR Worker exit detail: Task was killed due to the node running low on"
            + " memory.";
    var steps =
        Stream.iterate(40, step -> step + 1)
            .limit(6)
            .map("2026-03-04 05:06:%d INFO step=%<d loss=1.7 lr=2.0e-04"::formatted);
    assertThat(failed(Stream.concat(Stream.of(killed), steps).toArray(String[]::new))).isEmpty();
    assertThat(failed(actor + "INTENDED_USER_EXIT Worker exit detail: exit_actor() is called."))
        .isEmpty();
    assertThat(
            failed(
                "Task collect failed due to oom. There are infinite oom retries remaining, so the"
                    + " task will be retried. Error: 1 worker(s) were killed due to the node"
                    + " running low on memory."))
        .isEmpty();
  }

  /// Of all that crashes on a node.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kern  :warn  : 2025-01-21T04:41:44,285060+00:00 pt_main_thread[2536]: segfault at 7f797fe00000 ip 00007f7c7ac69996 sp 00007f7c12fd7c30 error 4 in libnccl.so.2[7f7c7ac00000+d3d3000] | true",
        "[  812.5] python3.10[2536]: segfault at 0 ip 00007f7c7ac69996 sp 00007f7c12fd7c30 error 4 in libnccl.so.2.27.5[7f7c7ac00000+d3d3000] | true",
        "[  812.5] python3[2536]: segfault at 0 ip 00007f7c7ac69996 sp 00007f7c12fd7c30 error 4 in _imaging.cpython-310.so[7f7c7ac00000+d3000] | false",
        "[  812.5] fluent-bit[99]: segfault at 0 ip 00007f7c7ac69996 sp 00007f7c12fd7c30 error 4 in libc.so.6[7f7c7ac00000+d3000] | false",
      })
  void theKernelTellsOfACrashInNccl(String line, boolean told) {
    var failed = failed(line);

    assertThat(failed.isPresent()).isEqualTo(told);
    assertThat(failed.map(Finding::failureClass).orElse(FailureClass.SEGFAULT))
        .isEqualTo(FailureClass.SEGFAULT);
  }

  @Test
  void theExceptionOfHydrasProgramSaysMore() {
    var failed =
        failed(
                "Error executing job with overrides: ['data.train_files=a.parquet']",
                "Traceback (most recent call last):",
                "  File \"/workspace/train.py\", line 81, in main",
                "KeyError: 'prompt'")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.EXCEPTION);
    assertThat(failed.observed()).contains("KeyError: 'prompt'");
  }

  /// Lightning prints the exception, and torch once more with its rank and Python's hint.
  @Test
  void theSameExceptionWithAHintNamesItsRank() {
    var frame = "  File \"/workspace/callbacks.py\", line 186, in on_validation_batch_end";
    var words = "AttributeError: 'dict' object has no attribute 'item'";
    var failed =
        failed(
                "Traceback (most recent call last):",
                frame,
                words,
                "[rank3]: Traceback (most recent call last):",
                "[rank3]: " + frame,
                "[rank3]: " + words + ". Did you mean: 'items'?")
            .orElseThrow();

    assertThat(failed.ranks()).containsExactly(3);
  }

  @Test
  void aHelperThatIsMissingIsNoDeathWhereAFewLinesFollow() {
    var missing = "python3: can't open file '/w/notify.py': [Errno 2] No such file or directory";
    assertThat(failed(missing, "saved", "pushed", "uploaded", missing, "a", "b", "c")).isEmpty();
    assertThat(failed(missing, "2026-11-18 04:31:20 INFO step=3910 loss=1.6 lr=3.0e-04")).isEmpty();
    assertThat(failed(missing, "done")).isPresent();
  }

  @Test
  void deathTestsOfGoogletestThatPassAreNone() {
    assertThat(
            failed(
                "[ RUN      ] CommDeathTest.Aborts",
                "comm_test: /src/comm.cc:77: Comm::Comm(int): Assertion `rank >= 0' failed.",
                "[       OK ] CommDeathTest.Aborts (412 ms)",
                "[  PASSED  ] 6 tests."))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INFO:     10.1.1.91:40112 - \"POST /v1/chat/completions HTTP/1.1\" 400 Bad Request | false",
        "INFO:     10.1.1.91:40112 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK | false",
        "INFO:     10.1.1.91:40112 - \"POST /v1/chat/completions HTTP/1.1\" 500 Internal Server Error | true",
        "INFO:     10.1.1.91:40112 - \"GET /metrics HTTP/1.1\" 200 OK | true",
      })
  void aServerThatAnswersHasNotDied(String answer, boolean died) {
    assertThat(
            failed(
                "Traceback (most recent call last):",
                "  File \"/opt/serve.py\", line 183, in create",
                "ValueError: the prompt is longer than the context",
                answer))
        .matches(told -> told.isPresent() == died);
  }

  private static final String SPOILT = "free(): double free detected in tcache 2";
  private static final String SIGNALLED = "*** SIGABRT received at time=1780000000 on cpu 7 ***";
  private static final String ABORTED = "Fatal Python error: Aborted";

  @ParameterizedTest
  @ValueSource(
      strings = {
        SPOILT,
        "double free or corruption (!prev)",
        "malloc(): corrupted top size",
        "corrupted size vs. prev_size while consolidating",
        "*** stack smashing detected ***: terminated",
        "*** Error in `python3': double free or corruption (out): 0x00007f2a10000b20 ***"
      })
  void whoseMemoryWasSpoiltDiedOfThatNotOfTheKillBehindIt(String spoilt) {
    var failed =
        failed(
                "step 12",
                "(Worker pid=336, ip=10.0.0.2) " + spoilt,
                "(Worker pid=336, ip=10.0.0.2) " + SIGNALLED,
                "(Worker pid=336, ip=10.0.0.2) " + ABORTED,
                "Killed")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.EXCEPTION);
    assertThat(failed.observed()).contains(spoilt.substring(4));
  }

  @Test
  void aShellsWordOnALauncherIsNoCauseBehindACrash() {
    assertThat(failed("step 12", ABORTED, "Killed").orElseThrow().failureClass())
        .isEqualTo(FailureClass.UNKNOWN);
    assertThat(failed("step 12", "Killed", ABORTED).orElseThrow().failureClass())
        .isEqualTo(FailureClass.KILLED);
  }

  /// Libraries fall over each other when a program leaves.
  @Test
  void isNoneWhereMemoryIsFoundSpoiltOnceTrainingIsDone() {
    assertThat(failed("step 12", "Training complete", "free(): invalid pointer")).isEmpty();
    assertThat(failed("step 12", "free(): invalid pointer").orElseThrow().failureClass())
        .isEqualTo(FailureClass.EXCEPTION);
    assertThat(
            failed(
                    "step 12",
                    "Training complete",
                    "free(): invalid pointer",
                    "srun: error: n7: task 2: Aborted (core dumped)")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.EXCEPTION);
  }

  /// Ray ends workers that it has no work for.
  @Test
  void isNoneWhereRayAsksAWorkerToEnd() {
    assertThat(failed("step 12", "*** SIGTERM received at time=1780000000 on cpu 7 ***")).isEmpty();
  }

  @Test
  void wordsOnMemoryInProseAreNone() {
    assertThat(failed("step 12", "free(): frees the pool", "malloc(): 12 arenas")).isEmpty();
  }

  @Test
  void aQueueOfRocmThatAbortsSaysWhy() {
    var failed =
        failed(
                "step 12",
                ":0:rocdevice.cpp            :2726: 129230165 us: [pid:12 tid:0x7eeb] Callback: Queue 0x7eebf0 aborting with error : HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation resulted in a hardware exception. code: 0x1016",
                ABORTED)
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.EXCEPTION);
    assertThat(failed.observed()).startsWith("Queue 0x").contains("HSA_STATUS_ERROR");
  }

  private static final String ANNOUNCED =
      "ERROR 03-02 03:24:44 worker_base.py:581] Error executing method 'init_device'. This might cause deadlock in distributed execution.";

  @Test
  void whatIsRaisedBehindItsAnnouncementIsTheCause() {
    var logger = "ERROR 03-02 03:24:44 worker_base.py:581] ";
    assertThat(
            failed(
                    "step 12",
                    ANNOUNCED,
                    logger + "Traceback (most recent call last):",
                    logger + "  File \"/opt/serve/worker.py\", line 166, in init_device",
                    logger + "RuntimeError: NCCL error: unhandled system error")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.NCCL);
    assertThat(failed("step 12", ANNOUNCED).orElseThrow().failureClass())
        .isEqualTo(FailureClass.UNKNOWN);
  }

  @Test
  void theAllocationsLimitIsWhyItsStepIsCancelled() {
    var failed =
        failed(
                "step 12",
                "salloc: Job 255 has exceeded its time limit and its allocation has been revoked.",
                "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.",
                "slurmstepd: error: *** STEP 255.0 ON n7 CANCELLED AT 2026-11-19T14:08:52 ***",
                "srun: error: n7: task 0: Killed")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.TIME_LIMIT);
    assertThat(failed.severity()).isEqualTo(Severity.INFO);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Test CUDA failure common.cu:389 'an illegal memory access was encountered' | EXCEPTION",
        "Test CUDA failure common.cu:389 'out of memory' | GPU_OUT_OF_MEMORY",
        "Test NCCL failure common.cu:394 'unhandled system error / ' | NCCL"
      })
  void nccltestsFailsInARowThatItHadBegun(String says, FailureClass expected) {
    var failed =
        failed(
                "# nccl-tests version 2.17.6 nccl-headers=22807 nccl-library=22807",
                "#  Rank  0 Group  0 Pid  62767 on n0 device  0 [0000:19:00] NVIDIA H800",
                "     2097152         32768     float    none      -1 n0: " + says,
                " .. n0 pid 62767: Test failure common.cu:519")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
    assertThat(failed.observed()).startsWith("Test ");
  }

  private static final String PEER_GONE =
      "2026-11-20T20:42:27.100Z [rank3]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:3355, remote process exited or there was a network error, NCCL version 2.27.3";
  private static final String RECORDED =
      "torchelastic: a process raised torch.OutOfMemoryError: CUDA out of memory. Tried 4 GiB.";

  @Test
  void whatAProcessWroteIntoItsErrorFileIsWhyItsPeersLostIt() {
    var failed =
        failed(
                List.of("2026-11-20T20:42:20Z step 12, loss 2.1", PEER_GONE),
                List.of("2026-11-20T20:42:26.999Z " + RECORDED))
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
    assertThat(failed.ranks()).isEmpty();
  }

  /// It may have been left by a run before.
  @Test
  void anErrorFileEndsNoJob() {
    var file = List.of("2026-11-20T20:42:26.999Z " + RECORDED);

    assertThat(failed(List.of("2026-11-20T20:42:20Z step 12, loss 2.1"), file)).isEmpty();
    assertThat(failed(List.of("2026-11-20T20:42:20Z step 12, loss 2.1", "Training complete"), file))
        .isEmpty();
  }

  @Test
  void anErrorFileOfARunBeforeIsNoCause() {
    assertThat(
            failed(
                    List.of("2026-11-20T20:42:20Z step 12, loss 2.1", PEER_GONE),
                    List.of("2026-11-19T08:00:00.999Z " + RECORDED))
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.NETWORK);
  }

  /// Loggers write local time: where no line names its zone, hours may lie between two lines of one
  /// moment.
  @ParameterizedTest
  @ValueSource(strings = {"2026-11-21 05:42", "2026-11-20 12:42", "2026-11-21 02:12"})
  void anErrorFileIsOfTheRunInWhicheverZoneThatWritesItsTimes(String local) {
    var failed =
        failed(
                List.of(
                    local + ":10,100 INFO trainer: step 11 | loss 2.2",
                    local + ":20,100 INFO trainer: step 12 | loss 2.1",
                    local + ":27,100 " + PEER_GONE.substring(PEER_GONE.indexOf("[rank3]"))),
                List.of("2026-11-20T20:42:26.999Z " + RECORDED))
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
    assertThat(failed.observed()).doesNotContain("error.json");
  }

  /// No zone is so far from another.
  @Test
  void anErrorFileOfADayBeforeIsNoCauseAndIsNamed() {
    var failed =
        failed(
                List.of(
                    "2026-11-21 05:42:10,100 INFO trainer: step 11 | loss 2.2",
                    "2026-11-21 05:42:20,100 INFO trainer: step 12 | loss 2.1",
                    "2026-11-21 05:42:27,100 " + PEER_GONE.substring(PEER_GONE.indexOf("[rank3]"))),
                List.of("2026-11-19T20:42:26.999Z " + RECORDED))
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.NETWORK);
    assertThat(failed.observed()).contains("an error.json of 2026-11-19T20:42:26.999Z");
  }

  private static Optional<Finding> failed(List<String> log, List<String> errorFile) {
    return Recorded.of(Map.of("vision-node-0-0.log", log, "vision-node-1-0.log", errorFile))
        .judged()
        .findings()
        .stream()
        .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .findFirst();
  }

  private static Optional<Finding> failed(String... lines) {
    var log = new ArrayList<>(Collections.nCopies(3, "loading"));
    log.addAll(Arrays.asList(lines));
    return Recorded.of(Map.of("job.log", log)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .findFirst();
  }
}
