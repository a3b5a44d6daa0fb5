package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What people paste below a job's log of how its scheduler lists it.
class PastedListingTest {
  private static final List<String> STEPS =
      IntStream.range(0, 40)
          .mapToObj("iter %d: loss 3.0, time 300.10ms, mfu 31.00%%"::formatted)
          .toList();

  private static final String HEAD = "NAME   READY   STATUS   RESTARTS   AGE";

  private static final String JOB = "yi-34b-worker-%d   %s   %s   31m";

  private static final String SACCT =
      """
      JobID           JobName  Partition      State ExitCode
      ------------ ---------- ---------- ---------- --------
      """;

  @ParameterizedTest
  @CsvSource({
    "OOMKilled, OUT_OF_MEMORY",
    "Error, UNKNOWN",
    "CrashLoopBackOff, UNKNOWN",
    "ContainerStatusUnknown, UNKNOWN",
    "NodeLost, NODE_LOST",
    "Unknown, NODE_LOST",
    "DeadlineExceeded, TIME_LIMIT",
    "Evicted, STOPPED",
    "Init:Error, UNKNOWN",
    "ExitCode:139, SEGFAULT",
    "Signal:9, KILLED",
  })
  void aPodOfTheJobHasEnded(String status, FailureClass expected) {
    assertThat(
            deaths(
                "$ kubectl get pods",
                HEAD,
                JOB.formatted(0, "1/1", "Running     0"),
                JOB.formatted(1, "0/1", status + "  0")))
        .singleElement()
        .satisfies(it -> assertThat(it.failureClass()).isEqualTo(expected))
        .satisfies(it -> assertThat(it.observed()).contains("yi-34b-worker-1 " + status));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Running   3 (2m10s ago)",
        "Completed   0",
        "Terminating   0",
        "Init:0/2   0",
        "Pending   0",
        "ExitCode:0   0",
      })
  void aPodThatRunsOrIsDoneHasNotEnded(String status) {
    assertWell(HEAD, JOB.formatted(0, "0/1", status));
  }

  @Test
  void isReadWithoutItsHeadAndInWideColumns() {
    assertThat(
            deaths(
                "ada@login:~$ kubectl -n ml get po | grep yi-34b",
                JOB.formatted(1, "0/1", "OOMKilled  2 (40s ago)")))
        .hasSize(1);
    assertThat(
            deaths(
                "NAMESPACE NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES",
                "ml yi-34b-worker-1 0/1 OOMKilled 0 5h3m 10.0.0.4 gpu-4 <none> <none>"))
        .singleElement()
        .satisfies(it -> assertThat(it.observed()).contains("on gpu-4"));
  }

  @Test
  void aPodOfAnotherJobAccusesNobody() {
    var verdict =
        told(
            "yi-34b.log",
            HEAD,
            JOB.formatted(0, "1/1", "Running   0"),
            "mistral-worker-0   0/1   OOMKilled   0   31m");
    assertThat(deaths(verdict)).isEmpty();
    assertThat(ends(verdict)).isEmpty();
  }

  @Test
  void isNotJudgedWhereNothingTellsWhosePodItIs() {
    var verdict =
        told(
            "out.log",
            HEAD,
            JOB.formatted(0, "1/1", "Running   0"),
            "mistral-worker-0   0/1   OOMKilled   0   31m");
    assertThat(deaths(verdict)).isEmpty();
    assertThat(ends(verdict)).hasSize(1);
  }

  @Test
  void aPodThatWasReplacedOrMissedTheOthersEndIsNotJudged() {
    for (var other :
        List.of(
            "yi-34b-worker-0   0/1   Completed   0   31m",
            "yi-34b-bzk27   1/1   Running   0   4m")) {
      var verdict = told("out.log", HEAD, "yi-34b-k8x4d   0/1   Error   0   31m", other);
      assertThat(deaths(verdict)).isEmpty();
      assertThat(ends(verdict)).hasSize(1);
    }
    assertThat(
            deaths(
                HEAD,
                "yi-34b-k8x4d   0/1   Error   0   31m",
                "yi-34b-bzk27   1/1   Running   0   31m"))
        .hasSize(1);
  }

  @Test
  void ofSeveralContainersOneBesideMayHaveEnded() {
    var verdict = told("out.log", HEAD, JOB.formatted(0, "1/2", "Error   0"));
    assertThat(deaths(verdict)).isEmpty();
    assertThat(ends(verdict)).hasSize(1);
  }

  @Test
  void theLastRowOfAPodCounts() {
    var killed = JOB.formatted(1, "0/1", "OOMKilled   0");
    var again = JOB.formatted(1, "1/1", "Running   1 (3s ago)");
    assertWell("$ kubectl get pods -w", HEAD, killed, again);
    var other = JOB.formatted(0, "1/1", "Running   0");
    assertWell(HEAD, other, killed, "", "$ kubectl get pods", HEAD, other, again);
    assertThat(deaths(HEAD, other, killed, "", "$ kubectl get pods", HEAD, other, killed))
        .hasSize(1);
  }

  @Test
  void aLogThatGoesOnOrEndsWellContradicts() {
    var lines = new ArrayList<>(STEPS);
    lines.addAll(List.of(HEAD, JOB.formatted(1, "0/1", "OOMKilled   0")));
    lines.addAll(
        IntStream.range(40, 80)
            .mapToObj("iter %d: loss 3.0, time 300.10ms, mfu 31.00%%"::formatted)
            .toList());
    assertThat(deaths(Recorded.of(Map.of("job.log", lines)).judged())).isEmpty();
    assertWell("Training completed.", HEAD, JOB.formatted(1, "0/1", "Error   0"));
  }

  @ParameterizedTest
  @CsvSource({
    "NODE_FAIL, 1:0, NODE_LOST",
    "OUT_OF_ME+, 0:125, OUT_OF_MEMORY",
    "TIMEOUT, 0:0, TIME_LIMIT",
    "CANCELLED+, 0:0, STOPPED",
    "FAILED, 1:0, UNKNOWN",
    "FAILED, 0:9, KILLED",
  })
  void slurmLostTheJob(String state, String exit, FailureClass expected) {
    var row = "4711              yi-34b        gpu %10s %8s".formatted(state, exit);
    var batch = "4711.batch         batch             CANCELLED     0:15";
    for (var died :
        List.of(
            deaths((SACCT + row + "\n" + batch).split("\n")),
            deaths(
                "JobIDRaw|JobName|State|ExitCode",
                "4711|yi-34b|%s|%s".formatted(state, exit),
                "4711.batch|batch|CANCELLED|0:15"),
            deaths(
                "JobId=4711 JobName=yi-34b",
                "   UserId=ada(1001) GroupId=ml(1001)",
                "   JobState=%s Reason=None"
                    .formatted(state.replace("ME+", "MEMORY").replace("+", "")),
                "   Requeue=0 ExitCode=%s".formatted(exit)))) {
      assertThat(died)
          .singleElement()
          .satisfies(it -> assertThat(it.failureClass()).isEqualTo(expected))
          .satisfies(
              it ->
                  assertThat(it.severity())
                      .isEqualTo(expected.wanted() ? Severity.INFO : Severity.CRITICAL));
    }
  }

  @Test
  void squeueShortensStates() {
    var head = "  JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)";
    assertThat(deaths(head, "   4711       gpu   yi-34b      ada NF      10:00      2 gpu-[1-2]"))
        .singleElement()
        .satisfies(it -> assertThat(it.failureClass()).isEqualTo(FailureClass.NODE_LOST));
    assertWell(head, "   4711       gpu   yi-34b      ada CG      10:00      2 gpu-[1-2]");
    assertThat(
            deaths(
                head.replace("ST ", "   STATE"),
                "   4711       gpu   yi-34b      ada NODE_FAI      10:00      2 gpu-[1-2]"))
        .singleElement()
        .satisfies(it -> assertThat(it.observed()).isEqualTo("Slurm job 4711 NODE_FAIL"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "4711              yi-34b        gpu  COMPLETED      0:0\n"
            + "4711.0            python             COMPLETED      0:0",
        "4711              yi-34b        gpu    RUNNING      0:0\n"
            + "4711.0            python            CANCELLED+     0:15",
        "4711              yi-34b        gpu  NODE_FAIL      1:0\n"
            + "4711              yi-34b        gpu    RUNNING      0:0",
      })
  void aJobOfSlurmThatIsDoneOrGoesOn(String rows) {
    assertWell((SACCT + rows).split("\n"));
  }

  @Test
  void stepsTellWhatTheJobDoesNot() {
    var failed = "4711              yi-34b        gpu     FAILED      1:0\n";
    assertThat(
            deaths(
                (SACCT + failed + "4711.0            python            OUT_OF_ME+    0:125")
                    .split("\n")))
        .singleElement()
        .satisfies(it -> assertThat(it.failureClass()).isEqualTo(FailureClass.OUT_OF_MEMORY));
    for (var rows :
        List.of(
            failed + "4711.0            python             COMPLETED      0:0",
            "4711              yi-34b        gpu  COMPLETED      0:0\n"
                + "4711.0            python                FAILED      1:0")) {
      var verdict = told("out.log", (SACCT + rows).split("\n"));
      assertThat(deaths(verdict)).isEmpty();
      assertThat(ends(verdict)).hasSize(1);
    }
  }

  @Test
  void ofSeveralJobsOfSlurmTheLogsNameTellsWhich() {
    var rows =
        (SACCT
                + "4711              yi-34b        gpu  COMPLETED      0:0\n"
                + "4712              yi-34b        gpu  NODE_FAIL      1:0")
            .split("\n");
    assertThat(deaths(told("slurm-4712.out.log", rows))).hasSize(1);
    assertThat(deaths(told("slurm-4711.out.log", rows))).isEmpty();
    assertThat(ends(told("slurm-4711.out.log", rows))).isEmpty();
    assertThat(ends(told("out.log", rows))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"OOMKilled, 137, OUT_OF_MEMORY", "Error, 139, SEGFAULT", "Error, 1, UNKNOWN"})
  void aContainersStatesAsYamlAndJson(String reason, int code, FailureClass expected) {
    var yaml =
        """
          containerStatuses:
          - image: docker.io/istio/proxyv2:1.22.0
            lastState: {}
            name: istio-proxy
            state:
              terminated:
                exitCode: 137
                reason: Error
          - image: registry.example/yi:7
            lastState: {}
            name: trainer
            state:
              terminated:
                exitCode: %d
                reason: %s
          hostIP: 10.0.0.4
          phase: Failed"""
            .formatted(code, reason);
    var json =
        """
        [{"name":"trainer","state":{"terminated":{"exitCode":%d,"reason":"%s"}},"lastState":{}},\
        {"name":"fluent-bit","state":{"terminated":{"exitCode":0,"reason":"Completed"}}}]"""
            .formatted(code, reason);
    for (var pasted : List.of(yaml, json)) {
      assertThat(deaths(pasted.split("\n")))
          .singleElement()
          .satisfies(it -> assertThat(it.failureClass()).isEqualTo(expected))
          .satisfies(it -> assertThat(it.severity()).isEqualTo(Severity.CRITICAL));
    }
  }

  @Test
  void aContainerThatRunsAgainIsANote() {
    assertThat(
            deaths(
                "$ kubectl get pod yi-34b-worker-1 -o json | jq .status.containerStatuses",
                "[",
                "  {",
                "    \"lastState\": {",
                "      \"terminated\": {",
                "        \"exitCode\": 137,",
                "        \"reason\": \"OOMKilled\"",
                "      }",
                "    },",
                "    \"name\": \"trainer\",",
                "    \"state\": { \"running\": { \"startedAt\": \"2026-11-20T20:42:26Z\" } }",
                "  }",
                "]"))
        .singleElement()
        .satisfies(it -> assertThat(it.severity()).isEqualTo(Severity.INFO));
  }

  @Test
  void aContainerOfAPodOfAnotherJobIsNotJudged() {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 2; rank++) {
      lines.add(
          "yi-34b-worker-%d:12:12 [0] NCCL INFO comm 0x5 rank %d nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x9 - Init COMPLETE"
              .formatted(rank, rank));
    }
    lines.addAll(STEPS);
    for (var pod : List.of("mistral-worker-0", "yi-34b-worker-1")) {
      var pasted = new ArrayList<>(lines);
      pasted.add("$ kubectl get pod %s -o jsonpath='{.status.containerStatuses}'".formatted(pod));
      pasted.add(
          "[{\"name\":\"m\",\"state\":{\"terminated\":{\"exitCode\":1,\"reason\":\"Error\"}}}]");
      var verdict = Recorded.of(Map.of("out.log", pasted)).judged();
      boolean another = pod.startsWith("mistral");
      assertThat(deaths(verdict)).hasSize(another ? 0 : 1);
      assertThat(ends(verdict)).hasSize(another ? 1 : 0);
    }
  }

  @Test
  void containersThatAreDoneOrBesideTheProgramAccuseNobody() {
    assertWell(
        "containerStatuses:",
        "- name: trainer",
        "  state:",
        "    terminated:",
        "      exitCode: 0",
        "      reason: Completed",
        "- name: istio-proxy",
        "  state:",
        "    terminated:",
        "      exitCode: 137",
        "      reason: Error");
  }

  @ParameterizedTest
  @CsvSource({"ephemeral-storage, DISK_FULL", "memory, OUT_OF_MEMORY"})
  void aPodThatWasEvictedAsDescribed(String resource, FailureClass expected) {
    var message = "The node was low on resource: %s. Container trainer was using 9Gi.";
    for (var died :
        List.of(
            deaths(
                "Status:           Failed",
                "Reason:           Evicted",
                "Message:          " + message.formatted(resource)),
            deaths(
                "Events:",
                "  Type     Reason   Age   From     Message",
                "  Warning  Evicted  2m    kubelet  " + message.formatted(resource)))) {
      assertThat(died)
          .singleElement()
          .satisfies(it -> assertThat(it.failureClass()).isEqualTo(expected));
    }
    assertWell("Status:           Running", "Reason:           Evicted");
    assertWell("Status:           Failed", "Reason:           Error");
  }

  private static void assertWell(String... pasted) {
    var verdict = told("out.log", pasted);
    assertThat(deaths(verdict)).isEmpty();
    assertThat(ends(verdict)).isEmpty();
  }

  private static Judge.Verdict told(String file, String... pasted) {
    var lines = new ArrayList<>(STEPS);
    lines.add("");
    lines.addAll(List.of(pasted));
    return Recorded.of(Map.of(file, lines)).judged();
  }

  private static List<Finding> deaths(String... pasted) {
    return deaths(told("out.log", pasted));
  }

  private static List<Finding> deaths(Judge.Verdict told) {
    return told.findings().stream()
        .filter(found -> found.kind() == FindingKind.JOB_FAILED)
        .toList();
  }

  private static List<NotJudged> ends(Judge.Verdict told) {
    return told.runs().stream()
        .flatMap(run -> run.notJudged().stream())
        .filter(missing -> missing.because().startsWith("a listing says"))
        .toList();
  }
}
