package io.ringside.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.simulate.JobDraw;
import io.ringside.lab.simulate.JobKind;
import io.ringside.lab.simulate.Restarts;
import io.ringside.schemas.event.FindingKind;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A small evaluation of what is certain; [BoundsTest] has what is a matter of shares.
class EvaluationTest {

  /// How a job's bytes travel does not depend on its noise: what is not hard to see must be told,
  /// with its ranks.
  @ParameterizedTest
  @EnumSource(
      value = JobKind.class,
      names = {
        "EFA_FALLBACK",
        "P2P_READ",
        "SHM",
        "SPLIT",
        "NICS",
        "LOST_EFA",
        "LOST_P2P",
        "LOST_WRITES",
        "LOST_POD",
        "VERSIONS",
        "ENVIRONMENT",
        "NO_INTERFACE",
        "BENCH",
        "SENSOR",
        "UNKNOWN_LINES"
      })
  void tellsEachKindOfFault(JobKind kind) {
    var card = new Scorecard();
    var evaluation = new Evaluation(4, kind, 16, 4_000, () -> 0);
    card.add(evaluation.generated(0));
    for (var trial : card.misjudged()) {
      assertThat(trial.hits())
          .as("%s", String.join("\n", ScoreTable.misjudged(card)))
          .allMatch(hit -> hit.found() || !hit.expected().hard().isEmpty());
    }
    assertThat(card.trials()).isOne();
  }

  /// Lines of a peer that have not come yet say nothing of how its bytes travel, nor over which
  /// nodes.
  @Test
  void accusesNobodyOfWhatAPeerHasNotToldYet() {
    var trial = new Evaluation(837_493, null, 16, 10_000, () -> 0).generated(31);

    assertThat(trial.wrong()).isEmpty();
  }

  /// Samples of a restart in the same files belong to the new processes alone.
  @Test
  void blamesTheThrottledRunAndNotTheOneBeforeIt() {
    var evaluation = new Evaluation(4, JobKind.THROTTLED, 16, 4_000, () -> 0);
    var restarted =
        IntStream.range(0, 200)
            .filter(
                number -> {
                  var restarts = JobDraw.draw(JobKind.THROTTLED, 4, number, 16, 4_000).restarts();
                  return restarts.runs() > 1 && restarts.kind() == Restarts.Kind.SAME_FILE;
                })
            .limit(2)
            .mapToObj(evaluation::generated)
            .toList();

    assertThat(restarted)
        .hasSize(2)
        .allSatisfy(
            trial ->
                assertThat(trial.wrong())
                    .noneMatch(finding -> finding.kind() == FindingKind.GPU_THROTTLED));
  }

  @Test
  void tellsTheRecordedJobsExactly() throws Exception {
    var card = new Scorecard();
    new Evaluation(1, null, 32, 20_000, () -> 0)
        .recorded(Path.of("..", "examples", "recordings"))
        .forEach(card::add);
    assertThat(card.trials()).isGreaterThan(20);
    assertThat(ScoreTable.misjudged(card)).isEmpty();
  }
}
