package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Logs beside which somebody put what Kubernetes or AWS says.
class KubernetesTest {
  private static final String HEAD = "LAST SEEN   TYPE      REASON     OBJECT           MESSAGE";
  private static final List<String> STEPS =
      IntStream.range(0, 20).mapToObj(step -> "step %d loss 2.5".formatted(step)).toList();
  private static final List<String> LOST =
      List.of(
          "step 11",
          "step 12",
          "[rank1]: Traceback (most recent call last):",
          "[rank1]: torch.distributed.DistBackendError: NCCL error in: a.cpp:1, remote process exited or there was a network error");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4m2s   Warning   Evicted   pod/vision-w-2   The node was low on resource: ephemeral-storage. Threshold quantity: 94371840Ki. | DISK_FULL",
        "12m (x2 over 13m)   Warning   Evicted   Pod/vision-w-2   The node was low on resource: memory. Container train was using 9Gi. | OUT_OF_MEMORY",
        "2m11s  Warning   NodeNotReady   pod/vision-w-2   Node is not ready | NODE_LOST",
        "kubernetes: pod/vision-w-2 NodeNotReady: Kubelet stopped posting node status. | NODE_LOST",
        "kubernetes: pod/vision-w-2 NodeMemoryPressure: kubelet has insufficient memory available | OUT_OF_MEMORY",
        "kubernetes: pod/vision-w-2 NodeDiskPressure: kubelet has disk pressure | DISK_FULL",
        "2026-11-20 10:01:30   Warning   NodeNotReady   pod/vision-w-2   Node is not ready | NODE_LOST",
        "2026-11-20T10:01:30Z   Warning   NodeNotReady   pod/vision-w-2   Node is not ready | NODE_LOST",
        "60s    Warning   DeadlineExceeded   job/vision-w   Job was active longer than specified deadline | TIME_LIMIT",
        "3d4h   Warning   Preempted   pod/vision-w-2   Preempted by kube-system/other on node gpu-1 | STOPPED",
        "5m   12h   27   vision-w-2.15a4ff0c   Pod   Warning   Evicted   kubelet, gpu-1   The node was low on resource: memory. | OUT_OF_MEMORY",
        "5m   12h   27   vision-w.15a4ff0c   Job   spec{x}   Warning   DeadlineExceeded   job-controller   Job was active longer | TIME_LIMIT",
      })
  void sayWhyAPodOfThisJobEnded(String event, FailureClass expected) {
    var failed = failed(LOST, event).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
    assertThat(failed.evidence().getFirst().text()).isEqualTo(event);
  }

  @ParameterizedTest
  @CsvSource({"pod/vision-w-20", "pod/vision-w-2-other", "pod/notebook-0", "job/vision"})
  void sayNothingOfOthers(String object) {
    var event = "4m2s   Warning   Evicted   %s   The node was low on resource: memory.";

    assertThat(failed(LOST, event.formatted(object)).orElseThrow().failureClass())
        .isEqualTo(FailureClass.NETWORK);
  }

  @Test
  void sayNothingOfAJobThatRanToItsEnd() {
    assertThat(
            failed(
                List.of("step 11", "step 12", "Training completed."),
                "4m2s   Warning   Evicted   pod/vision-w-2   The node was low on resource: memory."))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes: pod/vision-w-2 OOMKilled (container train, exit code 137) | OUT_OF_MEMORY",
        "kubernetes: pod/vision-w-2 OOMKilled | OUT_OF_MEMORY",
        "kubernetes: pod/vision-w-2-r9d2k OOMKilled (container train, exit code 137) | OUT_OF_MEMORY",
        "kubernetes: pod/vision-w-2 Evicted: The node was low on resource: ephemeral-storage. | DISK_FULL",
        "kubernetes: pod/vision-w-2 NodeLost: Node gpu-1 which was running pod vision-w-2 is unresponsive | NODE_LOST",
        "kubernetes: pod/vision-w-2 Terminated: Pod was terminated in response to imminent node shutdown. | NODE_LOST",
        "kubernetes: pod/vision-w-2 DeletionByTaintManager: Taint manager: deleting due to NoExecute taint | NODE_LOST",
        "kubernetes: pod/vision-w-2 DeadlineExceeded: Pod was active on the node longer than the specified deadline | TIME_LIMIT",
        "kubernetes: pod/vision-w-2 Error (container train, exit code 139) | SEGFAULT",
        "kubernetes: pod/vision-w-2 Error (container train, exit code 137) | KILLED",
        "kubernetes: pod/vision-w-2 Error (container train, exit code 1) | UNKNOWN",
        "kubernetes: pod/vision-w-2 CrashLoopBackOff | UNKNOWN",
        "kubernetes: pod/vision-w-2 UnexpectedAdmissionError: Pod was rejected: Allocate failed due to no healthy devices present; cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected | GPU_ERROR",
        "aws: job/pretrain FAILED: Host EC2 (instance i-0a4) terminated. | NODE_LOST",
        "aws: job/pretrain FAILED (exit code 137): Essential container in task exited; OutOfMemoryError: Container killed due to memory usage | OUT_OF_MEMORY",
        "aws: job/pretrain FAILED: Job attempt duration exceeded timeout | TIME_LIMIT",
        "aws: job/bert MaxRuntimeExceeded: Training job runtime exceeded MaxRuntimeInSeconds provided | TIME_LIMIT",
        "aws: job/bert Interrupted: Training job interrupted by EC2 Spot | NODE_LOST",
        "aws: job/bert Failed: AlgorithmError: ExecuteUserScriptError: ExitCode 137 | KILLED",
      })
  void endsAJobWhoseLogJustEnds(String state, FailureClass expected) {
    var failed = failed(STEPS, state).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
    assertThat(failed.observed()).isEqualTo(state.substring(state.indexOf(": ") + 2));
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia.com/gpu,pod/vision-w-2,true",
    "nvidia.com/gpu,pod/notebook-0,false",
    "vendor.com/fpga,pod/vision-w-2,false"
  })
  void aPodThatGotNoHealthyGpuHasFailed(String device, String object, boolean told) {
    var event =
        "3m2s   Warning   UnexpectedAdmissionError   %s   Allocate failed due to no healthy devices present; cannot allocate unhealthy devices %s, which is unexpected"
            .formatted(object, device);

    assertThat(failed(STEPS, event).map(Finding::failureClass))
        .isEqualTo(told ? Optional.of(FailureClass.GPU_ERROR) : Optional.empty());
    assertThat(failed(List.of("step 1", "step 2", "Training completed."), event)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes: pod/vision-w-20 OOMKilled (container train, exit code 137)",
        "kubernetes: pod/notebook-0 OOMKilled (container train, exit code 137)",
        "kubernetes: pod/vision-w-2 Error (container train, exit code 143)",
        "kubernetes: pod/vision-w-2 Completed (container train, exit code 0)",
        "kubernetes: pod/vision-w-2 NodeNotReady: Kubelet stopped posting node status.",
        "kubernetes: pod/vision-w-2 NodeMemoryPressure: kubelet has insufficient memory available",
        "4m2s   Warning   Evicted   pod/vision-w-2   The node was low on resource: memory.",
      })
  void endsNothingByWhatIsOfOthersOrComesAfterEachEnd(String state) {
    assertThat(failed(STEPS, state)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Training completed.",
        "Training finished in 3:02:11",
        "[after training is done] datetime: 2026-11-21 10:00:00",
        "`Trainer.fit` stopped: `max_epochs=5` reached.",
      })
  void endsNoJobThatSaysThatItIsDone(String words) {
    var log = Stream.concat(STEPS.stream(), Stream.of(words)).toList();

    assertThat(failed(log, "kubernetes: pod/vision-w-2 OOMKilled (container train, exit code 137)"))
        .isEmpty();
  }

  @Test
  void endsAJobThatGoesOnAfterItHasSaidThatItIsDone() {
    var log = Stream.concat(Stream.of("Training completed."), STEPS.stream()).toList();

    assertThat(failed(log, "kubernetes: pod/vision-w-2 OOMKilled (container train, exit code 137)"))
        .isPresent();
  }

  @Test
  void tellsNothingOfAJobThatWentOnForLong() {
    var log =
        IntStream.range(0, 20)
            .mapToObj(step -> "2026-11-21T10:%02d:00Z step %d loss 2.5".formatted(step, step))
            .toList();

    assertThat(
            failed(
                log, "2026-11-21T10:01:00Z kubernetes: pod/vision-w-2 OOMKilled (exit code 137)"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-11-21T10:20:30Z | Node is not ready | true",
        "2026-11-21T10:55:00Z | Node is not ready | false", // an hour after the log was saved
        "2026-11-21T10:05:00Z | Node is not ready | false", // it came back
      })
  void endsAJobWhoseMachineWentAsItsLogEnds(String time, String words, boolean told) {
    var log =
        IntStream.range(0, 20)
            .mapToObj(step -> "2026-11-21T10:%02d:00Z step %d loss 2.5".formatted(step, step))
            .toList();
    var event = "%s   Warning   NodeNotReady   pod/vision-w-2   %s".formatted(time, words);

    assertThat(failed(log, event).map(Finding::failureClass))
        .isEqualTo(told ? Optional.of(FailureClass.NODE_LOST) : Optional.empty());
    var finished =
        Stream.concat(log.stream(), Stream.of("2026-11-21T10:20:05Z Training completed.")).toList();
    assertThat(failed(finished, event)).isEmpty();
  }

  @Test
  void explainsByWhatSaysMostAndByWhoWasKilledAlone() {
    assertThat(
            failed(
                    LOST,
                    "kubernetes: pod/vision-w-2 Error (container train, exit code 1)",
                    "aws: job/pretrain FAILED (exit code 1): Essential container in task exited",
                    "aws: job/pretrain FAILED: Host EC2 (instance i-0a4) terminated.")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.NODE_LOST);
    assertThat(
            failed(
                    LOST,
                    "kubernetes: pod/vision-w-2 Error (container train, exit code 137)",
                    "aws: job/pretrain FAILED (exit code 137): Essential container in task exited")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.NETWORK);
  }

  @Test
  void explainsWhatFollowsFromAnothersEnd() {
    assertThat(
            failed(
                    List.of(
                        "[rank1]: ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely."),
                    "aws: job/pretrain FAILED: Host EC2 (instance i-0a4) terminated.")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.NODE_LOST);
  }

  @Test
  void tellsNothingWhereAwsSpeaksOfSeveralJobs() {
    assertThat(
            failed(
                STEPS,
                "aws: job/pretrain FAILED: Host EC2 (instance i-0a4) terminated.",
                "aws: job/finetune FAILED: Host EC2 (instance i-0a5) terminated."))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes: pod/vision-w-2 OOMKilled (container train, exit code 137) | OUT_OF_MEMORY",
        "kubernetes: pod/notebook-0 Error (container train, exit code 1) | UNKNOWN",
        "kubernetes: pod/vision-w-2 Evicted: The node was low on resource: memory. | OUT_OF_MEMORY",
        "4m7s   Warning   Evicted   pod/vision-w-2   The node had condition: [MemoryPressure]. | OUT_OF_MEMORY",
        "4m7s   Warning   Evicted   pod/vision-<id here>   The node was low on resource: ephemeral-storage. | DISK_FULL",
      })
  void areWhatThereIsWhereNobodySavedALog(String state, FailureClass expected) {
    assertThat(alone(state).findings())
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.kind()).isEqualTo(FindingKind.JOB_FAILED);
              assertThat(failed.failureClass()).isEqualTo(expected);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes: pod/vision-w-2 Running: a container ended before, OOMKilled 137",
        "kubernetes: pod/vision-w-2 Pending",
        "kubernetes: pod/vision-w-2 Error (container train, exit code 143)",
      })
  void sayThatTheyTellOfNoEndWhereNobodySavedALog(String state) {
    var told = alone(state);

    assertThat(told.findings()).isEmpty();
    assertThat(told.runs())
        .singleElement()
        .satisfies(
            run ->
                assertThat(run.notJudged())
                    .contains(
                        new NotJudged(
                            "end",
                            "Kubernetes tells of none: %s; give the pod's log as well"
                                .formatted(state.substring("kubernetes: ".length())))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "4m7s   Warning   Evicted   pod/fluent-bit-x7xk2   The node was low on resource: memory.",
        "4m7s   Warning   NodeNotReady   pod/vision-w-2   Node is not ready",
        "4m7s   Warning   FailedScheduling   pod/vision-w-2   0/3 nodes are available",
      })
  void tellOfNoEndByEventsOfServicesAndOfWhatMayPass(String event) {
    assertThat(alone(event).findings()).isEmpty();
  }

  private static Judge.Verdict alone(String state) {
    return Recorded.of(Map.of("described.txt", List.of(state))).judged();
  }

  @Test
  void tellTheTeamOfAJobByItsPodAndMakeNoJobOfTheirOwn() {
    var line = "kubernetes: pod/vision-w-2 Team: nlp";
    var beside =
        Recorded.of(Map.of("vision-w-2.log", LOST, "vision-w-2-node-0-0.log", List.of(line)));

    assertThat(beside.judged().runs()).extracting(RunSummary::team).containsExactly("nlp");
    assertThat(Recorded.of(Map.of("vision-w-2.log", List.of(line))).judged().runs()).isEmpty();
  }

  private static Optional<Finding> failed(List<String> log, String... events) {
    return Recorded.of(
            Map.of(
                "vision-w-2.log",
                log,
                "vision-w-2-node-0-0.log",
                Stream.concat(Stream.of(HEAD), Stream.of(events)).toList()))
        .judged()
        .findings()
        .stream()
        .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .findFirst();
  }
}
