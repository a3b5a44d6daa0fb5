package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Jobs without NCCL's lines whose containers or pods Kubernetes starts again.
class ContainersStartedAgainTest {
  private static final Instant BEGIN = Instant.parse("2026-11-09T10:00:00Z");
  private static final String UID = "0a1b2c3d-1111-4222-8333-44445555666";

  private final Map<String, List<String>> files = new TreeMap<>();

  /// A container that is started again, a pod that is made anew under its name, another pod.
  @ParameterizedTest
  @CsvSource({"sft-0, sft-0, 1, 1", "sft-0, sft-0, 2, 0", "sft-node-0-0, sft-node-1-0, 2, 0"})
  void whoTakesThePlaceOfWhatDiedIsAnotherAttempt(String pod, String next, int uid, int restarts) {
    train(file(pod, 1, 0), 0, 40);
    die(file(pod, 1, 0), 41);
    train(file(next, uid, restarts), 60, 100);

    assertTwoAttempts(judged());
  }

  /// Killed without a word, or asked to stop.
  @Test
  void isOneAlsoWhereNobodySaysWhyItEnded() {
    train(file("sft-0", 1, 0), 0, 40);
    train(file("sft-0", 1, 1), 60, 100);

    assertThat(judged().runs()).extracting(RunSummary::attempt).containsExactly(1, 2);
    assertThat(judged().findings()).isEmpty();
  }

  /// The second attempt's other pods are of it as well.
  @Test
  void allPodsOfTheNextAttemptAreOfOne() {
    for (var pod : List.of("sft-node-0-0", "sft-node-0-1")) {
      train(file(pod, 1, 0), 0, 40);
      train(file(pod, 1, 1), 60, 100);
    }
    die(file("sft-node-0-0", 1, 0), 41);

    assertTwoAttempts(judged());
  }

  @Test
  void aPodThatTellsOfNoStepMayDieInTheNextAttempt() {
    train(file("sft-node-0-0", 1, 0), 0, 40);
    train(file("sft-node-0-0", 1, 1), 60, 100);
    say(file("sft-node-0-1", 1, 0), 0, "Training started");
    die(file("sft-node-0-1", 1, 1), 101);

    var told = judged();
    assertThat(told.runs()).extracting(RunSummary::attempt).containsExactly(1, 2);
    assertThat(told.findings())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.kind()).isEqualTo(FindingKind.JOB_FAILED);
              assertThat(it.run()).isEqualTo(told.runs().getLast().run());
            });
  }

  @Test
  void eachStartIsAnAttempt() {
    for (int restarts = 0; restarts < 3; restarts++) {
      train(file("sft-0", 1, restarts), 60 * restarts, 60 * restarts + 40);
      die(file("sft-0", 1, restarts), 60 * restarts + 41);
    }

    assertThat(judged().runs())
        .extracting(RunSummary::run)
        .containsExactly("none", "none-2", "none-3");
  }

  /// An exception that was caught, in pods of which one tells of its steps later than the other.
  @Test
  void podsThatTrainTogetherAreOneAttempt() {
    train(file("sft-node-0-0", 1, 0), 0, 4);
    die(file("sft-node-0-0", 1, 0), 5);
    train(file("sft-node-0-0", 1, 0), 6, 100);
    train(file("sft-node-1-0", 2, 0), 8, 100);

    assertThat(judged().runs()).hasSize(1);
    assertThat(judged().findings()).isEmpty();
  }

  /// Of logs that somebody gathered it is not known that one took the place of another.
  @Test
  void otherFilesAreNoRestarts() {
    train("logs/sft-node-0-0.log", 0, 40);
    train("logs/sft-node-0-1.log", 60, 100);

    assertThat(judged().runs()).hasSize(1);
  }

  private static void assertTwoAttempts(Judge.Verdict told) {
    assertThat(told.runs())
        .extracting(RunSummary::attempt, RunSummary::state)
        .containsExactly(tuple(1, RunSummary.State.FAILED), tuple(2, RunSummary.State.ENDED));
    assertThat(told.findings())
        .filteredOn(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.run()).isEqualTo(told.runs().getFirst().run());
              assertThat(it.failureClass()).isEqualTo(FailureClass.EXCEPTION);
            });
    assertThat(told.findings()).extracting(Finding::kind).containsOnly(FindingKind.JOB_FAILED);
  }

  private static String file(String pod, int uid, int restarts) {
    return "/var/log/pods/ml_%s_%s%d/trainer/%d.log".formatted(pod, UID, uid, restarts);
  }

  private void train(String file, int from, int to) {
    for (int step = from; step < to; step++) {
      say(file, step, "step %d loss 2.5 step_time 1.0s".formatted(step));
    }
  }

  private void die(String file, int second) {
    say(file, second, "Traceback (most recent call last):");
    say(file, second, "  File \"/app/train.py\", line 10, in main");
    say(file, second, "ValueError: bad batch");
  }

  private void say(String file, int second, String line) {
    files
        .computeIfAbsent(file, _ -> new ArrayList<>())
        .add(
            "%s.000000000Z stdout F %s"
                .formatted(BEGIN.plusSeconds(second).toString().replace("Z", ""), line));
  }

  private Judge.Verdict judged() {
    return Recorded.of(files).judged();
  }
}
