package io.ringside.shipper.source.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What people save beside logs of pods and jobs that ended.
class StatesTest {
  private static final String KILLED =
      """
      {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "llama-2", "namespace": "ml"},
       "spec": {"nodeName": "gpu-1"},
       "status": {"phase": "Failed", "containerStatuses": [
         {"name": "train", "lastState": {}, "state": {"terminated":
           {"exitCode": 137, "reason": "OOMKilled", "finishedAt": "2026-11-20T20:42:26Z"}}},
         {"name": "proxy", "state": {"terminated": {"exitCode": 0, "reason": "Completed"}}}]}}
      """;

  @Test
  void ofAPodAsJson() throws IOException {
    assertThat(lines(KILLED))
        .containsExactly(
            "2026-11-20T20:42:26Z kubernetes: pod/llama-2 OOMKilled (container train, exit code 137)");
  }

  @Test
  void ofPodsAsJsonOneByOneAndAsFarAsTheyGo() throws IOException {
    var list =
        "{\"apiVersion\": \"v1\", \"items\": [%s, %s"
            .formatted(KILLED, KILLED.replace("llama-2", "llama-3"));

    assertThat(lines(list + "], \"kind\": \"List\"}")).hasSize(2);
    assertThat(lines(list.substring(0, list.length() - 90))).hasSize(1);
  }

  @Test
  void ofPodsAsYaml() throws IOException {
    assertThat(
            lines(
                """
                apiVersion: v1
                items:
                - apiVersion: v1
                  kind: Pod
                  metadata:
                    name: llama-1
                  status:
                    phase: Succeeded
                    containerStatuses:
                    - name: train
                      state:
                        terminated:
                          exitCode: 0
                          reason: Completed
                - apiVersion: v1
                  kind: Pod
                  metadata:
                    name: llama-2
                  status:
                    message: 'The node was low on resource: memory. '
                    phase: Failed
                    reason: Evicted
                kind: List
                metadata:
                  resourceVersion: ""
                """))
        .containsExactly("kubernetes: pod/llama-2 Evicted: The node was low on resource: memory.");
  }

  @Test
  void ofDescribedPodsWithTheirEvents() throws IOException {
    assertThat(
            lines(
                """
                $ kubectl describe pod llama-2
                Name:             llama-2
                Namespace:        ml
                Priority:         0
                Node:             gpu-1/10.0.0.1
                Status:           Failed
                Reason:           Evicted
                Message:          The node was low on resource: ephemeral-storage.
                Containers:
                  train:
                    Image:          train:1
                    State:          Terminated
                      Reason:       OOMKilled
                      Exit Code:    137
                      Started:      Fri, 20 Nov 2026 20:00:00 +0000
                      Finished:     Fri, 20 Nov 2026 20:42:26 +0000
                    Last State:     Terminated
                      Reason:       Error
                      Exit Code:    1
                    Ready:          False
                Conditions:
                  Type              Status
                  Ready             False
                Events:
                  Type     Reason   Age   From     Message
                  ----     ------   ----  ----     -------
                  Normal   Pulled   9m    kubelet  Container image is there
                  Warning  Evicted  4m2s  kubelet  The node was low on resource: ephemeral-storage.
                Name:             llama-3
                Namespace:        ml
                Status:           Running
                Containers:
                  train:
                    State:          Running
                      Started:      Fri, 20 Nov 2026 20:00:00 +0000
                    Last State:     Terminated
                      Reason:       OOMKilled
                      Exit Code:    137
                """))
        .containsExactly(
            "4m2s   Warning   Evicted   pod/llama-2   The node was low on resource: ephemeral-storage.",
            "2026-11-20T20:42:26Z kubernetes: pod/llama-2 OOMKilled (container train, exit code 137)",
            "2026-11-20T20:42:26Z kubernetes: pod/llama-2 Evicted: The node was low on resource: ephemeral-storage.",
            "kubernetes: pod/llama-3 Running: a container ended before, OOMKilled 137");
  }

  @Test
  void ofAPodThatOnlyWaitsToBeStartedAnew() throws IOException {
    assertThat(
            lines(
                """
                Name:         llama-2
                Namespace:    ml
                Node:         gpu-1/10.0.0.1
                Status:       Running
                Containers:
                  train:
                    State:          Waiting
                      Reason:       CrashLoopBackOff
                    Last State:     Terminated
                      Reason:       OOMKilled
                      Exit Code:    137
                """))
        .containsExactly("kubernetes: pod/llama-2 OOMKilled (container train, exit code 137)");
  }

  @Test
  void ofAContainerWhoseStateAloneWasPasted() throws IOException {
    assertThat(
            lines(
                """
                State:          Terminated
                  Reason:       OOMKilled
                  Exit Code:    0
                  Finished:     Fri, 20 Nov 2026 20:42:26 +0000
                Ready:          False
                2026-11-20T20:43:00Z the next line of the log
                """))
        .containsExactly(
            "2026-11-20T20:43:00Z the next line of the log",
            "2026-11-20T20:42:26Z kubernetes: pod/unnamed OOMKilled (exit code 0)");
    assertThat(
            lines(
                """
                    Last State:   Terminated
                      Reason:     OOMKilled
                      Exit Code:  137
                """))
        .containsExactly("kubernetes: pod/unnamed OOMKilled (exit code 137)");
  }

  @Test
  void ofAContainerThatRunsAgainOrCompletedNoEnd() throws IOException {
    assertThat(
            lines(
                """
                of-a-name
                    State: Running
                      Started: Fri, 20 Nov 2026 20:43:00 +0000
                    Last State: Terminated
                      Reason: Error
                      Exit Code: 137
                """))
        .isEmpty();
    assertThat(
            lines(
                """
                State:          Terminated
                  Reason:       Completed
                  Exit Code:    0
                """))
        .isEmpty();
  }

  @Test
  void ofEventsThatWerePastedAlone() throws IOException {
    assertThat(
            lines(
                """
                Events:
                  Type     Reason                    Age                 From               Message
                  ----     ------                    ----                ----               -------
                  Warning  FailedScheduling          9m (x2 over 9m)     default-scheduler  0/3 nodes are available
                  Normal   Started                   5m                  kubelet            Started container train
                  Warning  UnexpectedAdmissionError  2m1s                kubelet            Allocate failed
                user@host:~$
                """))
        .containsExactly(
            "9m (x2 over 9m)   Warning   FailedScheduling   pod/unnamed   0/3 nodes are available",
            "2m1s   Warning   UnexpectedAdmissionError   pod/unnamed   Allocate failed",
            "user@host:~$");
  }

  @Test
  void ofTheTableOfPodsBehindAPrompt() throws IOException {
    assertThat(
            lines(
                """
                ada@head-1:~/jobs$ kubectl get pods -n ml
                NAME      READY   STATUS             RESTARTS   AGE
                bert-0    0/2     CrashLoopBackOff   8          2m
                bert-1    0/1     Init:1/2           0          2m
                """))
        .containsExactly(
            "NAME      READY   STATUS             RESTARTS   AGE",
            "bert-0    0/2     CrashLoopBackOff   8          2m",
            "bert-1    0/1     Init:1/2           0          2m");
  }

  @Test
  void ofTheTableOfPods() throws IOException {
    assertThat(
            lines(
                """
                NAMESPACE   NAME        READY   STATUS             RESTARTS      AGE
                ml          llama-0     1/1     Running            0             3h
                ml          llama-1     0/1     Completed          0             3h
                ml          llama-2     0/1     OOMKilled          0             3h
                ml          llama-3     0/1     CrashLoopBackOff   4 (12s ago)   3h
                ml          llama-4     0/1     Evicted            0             3h

                LAST SEEN   TYPE      REASON    OBJECT        MESSAGE
                4m2s        Warning   Evicted   pod/llama-4   The node was low on resource: memory.
                """))
        .startsWith("NAMESPACE   NAME        READY   STATUS             RESTARTS      AGE")
        .contains("ml          llama-2     0/1     OOMKilled          0             3h")
        .endsWith(
            "ml          llama-4     0/1     Evicted            0             3h",
            "4m2s        Warning   Evicted   pod/llama-4   The node was low on resource: memory.");
  }

  @Test
  void ofATableWithoutItsHeadAndOfAPodDescribedInPart() throws IOException {
    assertThat(
            lines(
                """
                > kubectl get pods -n ml --show-all
                bert-master-...          0/1       Evicted     0          19h
                bert-master-...          1/1       Running     0          9h
                bert-tensorboard-768ls   1/1       Completed   0          18h
                ...
                > kubectl describe pod -n ml bert-master-3ti2-0-9st9r
                ...
                Status:         Failed
                Reason:         Evicted
                Message:        The node was low on resource: memory.
                ...
                """))
        .containsExactly(
            "NAME   READY   STATUS   RESTARTS   AGE",
            "bert-master-...          0/1       Evicted     0          19h",
            "bert-master-...          1/1       Running     0          9h",
            "bert-tensorboard-768ls   1/1       Completed   0          18h",
            "kubernetes: pod/bert-master-3ti2-0-9st9r Evicted: The node was low on resource: memory.");
    assertThat(
            lines(
                """
                Status: Failed
                Reason: Evicted
                Message: The node had condition: [DiskPressure].
                """))
        .containsExactly(
            "kubernetes: pod/unnamed Evicted: The node had condition: [DiskPressure].");
  }

  @Test
  void ofColumnsThatSomebodyChose() throws IOException {
    assertThat(
            lines(
                """
                bert-56b4b9d9vkc4t   ml   Evicted   gpu-1   Pod The node had condition: [DiskPressure].\s
                bert-56b4b9d9vsk56   ml   Evicted   gpu-1   Pod The node had condition: [DiskPressure].\s
                """))
        .containsExactly(
            "kubernetes: pod/bert-56b4b9d9vkc4t Evicted: The node had condition: [DiskPressure].",
            "kubernetes: pod/bert-56b4b9d9vsk56 Evicted: The node had condition: [DiskPressure].");
  }

  @Test
  void ofPodsThatKubernetesTookAway() throws IOException {
    assertThat(
            lines(
                """
                {"kind": "Pod", "metadata": {"name": "llama-2"}, "status": {"phase": "Failed", "conditions": [
                  {"type": "Ready", "status": "False", "reason": "PodFailed"},
                  {"type": "DisruptionTarget", "status": "True", "reason": "DeletionByTaintManager",
                   "message": "Taint manager: deleting\\ndue to NoExecute taint"}]}}
                """))
        .containsExactly(
            "kubernetes: pod/llama-2 DeletionByTaintManager: Taint manager: deleting due to NoExecute taint");
  }

  @Test
  void ofANodeThatBatchLost() throws IOException {
    assertThat(
            lines(
                """
                {"jobs": [
                  {"jobName": "pretrain", "jobId": "a-1#0", "status": "FAILED", "statusReason": "Essential container in task exited",
                   "attempts": [{"container": {"exitCode": 1}, "stoppedAt": 1795207346942,
                                 "statusReason": "Essential container in task exited"}]},
                  {"jobName": "pretrain", "jobId": "a-1#1", "status": "FAILED",
                   "statusReason": "Host EC2 (instance i-0a4) terminated.", "attempts": []},
                  {"jobName": "pretrain", "jobId": "a-1#2", "status": "SUCCEEDED", "statusReason": "done"}]}
                """))
        .containsExactly(
            "2026-11-20T20:42:26.942Z aws: job/pretrain FAILED (exit code 1): Essential container in task exited",
            "aws: job/pretrain FAILED: Host EC2 (instance i-0a4) terminated.");
  }

  @Test
  void ofSeveralJobsOfBatchNothing() throws IOException {
    assertThat(
            lines(
                """
                {"jobs": [
                  {"jobName": "a", "jobId": "a-1", "status": "SUCCEEDED"},
                  {"jobName": "b", "jobId": "b-1", "status": "FAILED", "statusReason": "Host EC2 (instance i-0a4) terminated."}]}
                """))
        .isEmpty();
  }

  @Test
  void ofATrainingJobThatTookTooLong() throws IOException {
    assertThat(
            lines(
                """
                {"TrainingJobName": "bert-1", "TrainingJobStatus": "Stopped", "SecondaryStatus": "MaxRuntimeExceeded",
                 "SecondaryStatusTransitions": [
                   {"Status": "Training", "StartTime": "2026-11-20T19:00:00Z", "StatusMessage": "In progress"},
                   {"Status": "MaxRuntimeExceeded", "StartTime": "2026-11-20T20:42:26Z", "StatusMessage": "Runtime exceeded"}]}
                """))
        .containsExactly(
            "2026-11-20T20:42:26Z aws: job/bert-1 MaxRuntimeExceeded: Runtime exceeded");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Name: llama\nstep 1 loss 2.5\n",
        "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\n",
        "{\"kind\": \"Deployment\", \"metadata\": {\"name\": \"x\"}}",
        "{\"jobs\": 3}",
        "NAME READY\nstep 1\n",
        "State: Running\nstep 1 loss 2.5\n",
        "Events:\nstep 1 loss 2.5\n",
        "running kubectl now\nstep 1 loss 2.5\n",
        "train-0  12/100  loss  2.5  3\nstep 1 loss 2.5\n",
        "llama-2   0/1   Evicted   0   3h\nstep 1 loss 2.5\n",
        "Status: Failed\nstep 1 loss 2.5\n",
        "...\n\n",
      })
  void areToldFromOtherText(String text) {
    assertThat(Export.tellsOfStates(text.getBytes(StandardCharsets.UTF_8))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"a b\\nc\"}, \"status\": {\"reason\": \"Evicted\"}}",
        "{\"kind\": \"Pod\", \"metadata\": 7, \"status\": [1, 2]}",
        "{\"kind\": \"Pod\", \"status\": {\"containerStatuses\": {\"a\": 1}}, \"metadata\": {\"name\": \"x\"}} ]]",
        "apiVersion: v1\nkind: Pod\n\tmetadata: {{{\n",
        "{\"jobs\": [{\"jobName\": \"a b\", \"jobId\": \"x\", \"status\": \"FAILED\", \"attempts\": 9}, 7, null, [",
      })
  void sayNothingWhereTheyLie(String text) throws IOException {
    assertThat(lines(text)).isEmpty();
  }

  private static List<String> lines(String file) throws IOException {
    var bytes = file.getBytes(StandardCharsets.UTF_8);
    assertThat(Export.recognise(bytes, Math.min(bytes.length, Export.HEAD)))
        .isEqualTo(Export.STATES);
    try (var in = Export.STATES.lines(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
