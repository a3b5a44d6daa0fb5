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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What kubectl says of a pod's end, saved with its log.
class DescribedPodTest {
  private static final List<String> STEPS =
      IntStream.range(0, 40)
          .mapToObj("iter %d: loss 3.0, time 300.10ms, mfu 31.00%%"::formatted)
          .toList();

  @ParameterizedTest
  @CsvSource({"137, KILLED", "139, SEGFAULT"})
  void tellsHowTheCommandEnded(int code, FailureClass expected) {
    assertThat(deaths(STEPS, List.of("command terminated with exit code " + code)))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.failureClass()).isEqualTo(expected);
              assertThat(it.severity()).isEqualTo(Severity.CRITICAL);
            });
  }

  /// Whoever looked at the log has ended, or found nothing; or another command of the same script.
  @Test
  void accusesNobodyByTheEndOfALook() {
    for (var code : List.of(1, 130, 143)) {
      assertThat(deaths(STEPS, List.of("command terminated with exit code " + code))).isEmpty();
    }
    assertThat(deaths(List.of("command terminated with exit code 137"), STEPS)).isEmpty();
    assertThat(
            deaths(STEPS, List.of("Training completed.", "command terminated with exit code 137")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "OOMKilled, 137, OUT_OF_MEMORY",
    "Error, 137, KILLED",
    "Error, 139, SEGFAULT",
    "Error, 1, UNKNOWN",
  })
  void tellsTheEndOfTheContainerBelowAndAboveItsLog(
      String reason, int code, FailureClass expected) {
    var pod = pod("trainer", 8, state("State", reason, code));

    for (var died : List.of(deaths(STEPS, pod), deaths(pod, STEPS))) {
      assertThat(died)
          .singleElement()
          .satisfies(
              it -> {
                assertThat(it.failureClass()).isEqualTo(expected);
                assertThat(it.severity()).isEqualTo(Severity.CRITICAL);
              });
    }
  }

  @Test
  void notesTheContainerBefore() {
    var lines = new ArrayList<String>();
    lines.add("    State:          Running");
    lines.addAll(state("Last State", "OOMKilled", 137));
    var told = told(STEPS, lines);

    assertThat(deaths(told))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.failureClass()).isEqualTo(FailureClass.OUT_OF_MEMORY);
              assertThat(it.severity()).isEqualTo(Severity.INFO);
              assertThat(it.summary()).endsWith(", in a container before the present one");
            });
    assertThat(told.runs().getLast().state()).isEqualTo(RunSummary.State.ENDED);
  }

  @Test
  void isOfTheJobWhereNothingSaysThatAnotherContainerRuns() {
    assertThat(deaths(STEPS, state("Last State", "OOMKilled", 137)))
        .singleElement()
        .satisfies(it -> assertThat(it.severity()).isEqualTo(Severity.CRITICAL));
  }

  @Test
  void aContainerThatWaitsIsNotThere() {
    var lines = new ArrayList<String>();
    lines.add("    State:          Waiting");
    lines.add("      Reason:       CrashLoopBackOff");
    lines.addAll(state("Last State", "OOMKilled", 137));

    assertThat(deaths(STEPS, lines))
        .singleElement()
        .satisfies(it -> assertThat(it.severity()).isEqualTo(Severity.CRITICAL));
  }

  @ParameterizedTest
  @CsvSource({"Completed, 0", "Error, 143", "Error, 130"})
  void endsWellOrAtSomebodysWish(String reason, int code) {
    assertThat(deaths(STEPS, pod("trainer", 8, state("State", reason, code)))).isEmpty();
  }

  @Test
  void ofSeveralContainersTheOneWithGpusIsTheJobs() {
    var running = List.of("    State:          Running");
    var killed = state("State", "OOMKilled", 137);

    assertThat(
            deaths(
                STEPS,
                described(container("trainer", 8, running), container("uploader", 0, killed))))
        .isEmpty();
    assertThat(
            deaths(
                STEPS,
                described(container("uploader", 0, killed), container("trainer", 8, running))))
        .isEmpty();
    assertThat(
            deaths(
                STEPS,
                described(container("uploader", 0, running), container("trainer", 8, killed))))
        .hasSize(1);
    assertThat(deaths(STEPS, described(container("fluent-bit", 0, killed)))).isEmpty();
  }

  private static List<String> pod(String container, int gpus, List<String> state) {
    return described(container(container, gpus, state));
  }

  @SafeVarargs
  private static List<String> described(List<String>... containers) {
    var lines = new ArrayList<String>();
    lines.add("Name:             llm-worker-0");
    lines.add("Status:           Failed");
    lines.add("Containers:");
    for (var container : containers) {
      lines.addAll(container);
    }
    lines.add("Conditions:");
    lines.add("  Type              Status");
    return lines;
  }

  private static List<String> container(String name, int gpus, List<String> state) {
    var lines = new ArrayList<String>();
    lines.add("  " + name + ":");
    lines.add("    Container ID:   containerd://5e");
    lines.add("    Image:          registry.example/" + name + ":7");
    lines.addAll(state);
    lines.add("    Ready:          False");
    lines.add("    Restart Count:  0");
    lines.add("    Limits:");
    if (gpus > 0) {
      lines.add("      nvidia.com/gpu:  " + gpus);
    }
    return lines;
  }

  private static List<String> state(String which, String reason, int code) {
    return List.of(
        "    %s:          Terminated".formatted(which),
        "      Reason:       " + reason,
        "      Exit Code:    " + code);
  }

  private static Judge.Verdict told(List<String> first, List<String> second) {
    var lines = new ArrayList<>(first);
    lines.addAll(second);
    return Recorded.of(Map.of("job.log", lines)).judged();
  }

  private static List<Finding> deaths(List<String> first, List<String> second) {
    return deaths(told(first, second));
  }

  private static List<Finding> deaths(Judge.Verdict told) {
    return told.findings().stream()
        .filter(found -> found.kind() == FindingKind.JOB_FAILED)
        .toList();
  }
}
