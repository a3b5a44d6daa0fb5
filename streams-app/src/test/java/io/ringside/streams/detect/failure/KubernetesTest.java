package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Logs behind which somebody put what `kubectl get events` says.
class KubernetesTest {
  private static final String HEAD = "LAST SEEN   TYPE      REASON     OBJECT           MESSAGE";
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
        "60s    Warning   DeadlineExceeded   job/vision-w   Job was active longer than specified deadline | TIME_LIMIT",
        "3d4h   Warning   Preempted   pod/vision-w-2   Preempted by kube-system/other on node gpu-1 | STOPPED",
      })
  void sayWhyAPodOfThisJobEnded(String event, FailureClass expected) {
    var failed = failed(LOST, event).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
    assertThat(failed.evidence().getFirst().text()).isEqualTo(event);
  }

  @ParameterizedTest
  @CsvSource({"pod/vision-w-20", "pod/notebook-0", "job/vision"})
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

  private static Optional<Finding> failed(List<String> log, String event) {
    return Recorded.of(
            Map.of("vision-w-2.log", Stream.concat(log.stream(), Stream.of(HEAD, event)).toList()))
        .judged()
        .findings()
        .stream()
        .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .findFirst();
  }
}
