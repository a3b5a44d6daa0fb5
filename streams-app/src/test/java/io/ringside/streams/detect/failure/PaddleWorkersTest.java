package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Paddle's launcher ends all workers once one has failed, and their logs have no times.
class PaddleWorkersTest {
  @Test
  void theOneThatFailedIsToldAndNotTheRequestToTheOthers() {
    var failed = failed(asked(), asked(), raised("ValueError: (InvalidArgument) 3 is not 5."));

    assertThat(failed.failureClass()).isEqualTo(FailureClass.EXCEPTION);
    assertThat(failed.observed()).contains("3 is not 5");
  }

  /// Threads that still run when the interpreter goes crash.
  @Test
  void theReaderThatFailedIsToldAndNotTheCrashAfterIt() {
    var failed =
        failed(
            both(
                raised(
                    "SystemError: (Fatal) Blocking queue is killed because the data reader raises an exception."),
                List.of(
                    "--------------------------------------",
                    "Error Message Summary:",
                    "----------------------",
                    "FatalError: `Segmentation fault` is detected by the operating system.",
                    "  [SignalInfo: *** SIGSEGV (@0x65) received by PID 2313 (TID 0x7fb3) from PID 101 ***]")));

    assertThat(failed.failureClass()).isNotEqualTo(FailureClass.SEGFAULT);
    assertThat(failed.observed()).contains("data reader");
  }

  @Test
  void whoseWorkersWereAllAskedWasStopped() {
    assertThat(failed(asked(), asked()).failureClass()).isEqualTo(FailureClass.STOPPED);
  }

  /// A worker whose children were ended before it says so.
  @Test
  void whatFollowsFromTheRequestIsNoFailure() {
    for (var word :
        List.of(
            "SystemError: (Fatal) DataLoader process (pid 91) exited is killed by signal: Terminated.",
            "RuntimeError: DataLoader 2 workers exit unexpectedly, pids: 91, 92",
            "ValueError: (InvalidArgument) TCP send error. Details: Broken pipe.",
            "KeyboardInterrupt")) {
      assertThat(failed(asked(), both(asked(), raised(word))).failureClass())
          .as(word)
          .isEqualTo(FailureClass.STOPPED);
    }
  }

  @Test
  void ofAttemptsInOneLogTheLastOneCounts() {
    var failed =
        failed(
            both(
                both(raised("NameError: name 'np' is not defined"), asked()),
                both(raised("ValueError: (InvalidArgument) 3 is not 5."), asked())));

    assertThat(failed.observed()).contains("3 is not 5").doesNotContain("name 'np'");
  }

  private static List<String> raised(String exception) {
    return List.of(
        "Traceback (most recent call last):",
        "  File \"train.py\", line 61, in <module>",
        "    main()",
        exception);
  }

  private static List<String> asked() {
    return List.of(
        "--------------------------------------",
        "C++ Traceback (most recent call last):",
        "--------------------------------------",
        "No stack trace in paddle, may be caused by external reasons.",
        "----------------------",
        "Error Message Summary:",
        "----------------------",
        "FatalError: `Termination signal` is detected by the operating system.",
        "  [TimeInfo: *** Aborted at 1700000000 (unix time) try \"date -d @1700000000\" if you are using GNU date ***]",
        "  [SignalInfo: *** SIGTERM (@0x3e8) received by PID 4711 (TID 0x7f01) from PID 4700 ***]");
  }

  private static List<String> both(List<String> first, List<String> second) {
    var both = new ArrayList<>(first);
    both.addAll(second);
    return both;
  }

  @SafeVarargs
  private static Finding failed(List<String>... workers) {
    var logs = new TreeMap<String, List<String>>();
    for (var worker : workers) {
      logs.put("paddle-node-0-%d.log".formatted(logs.size()), worker);
    }
    return Recorded.of(logs).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .findFirst()
        .orElseThrow();
  }
}
