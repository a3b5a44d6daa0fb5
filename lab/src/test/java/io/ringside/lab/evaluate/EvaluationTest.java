package io.ringside.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.simulate.JobDraw;
import io.ringside.lab.simulate.JobKind;
import io.ringside.lab.simulate.Restarts;
import io.ringside.schemas.event.FindingKind;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A small evaluation: a fixed seed, and one that nobody has seen, which a failure names.
class EvaluationTest {
  private static final List<FindingKind> TRANSPORT =
      List.of(
          FindingKind.EFA_FALLBACK,
          FindingKind.SOCKET_TRANSPORT,
          FindingKind.P2P_READ,
          FindingKind.SHM_FALLBACK,
          FindingKind.SPLIT_PLACEMENT,
          FindingKind.GDR_DISAGREEMENT);

  static LongStream seeds() {
    return LongStream.of(1, ThreadLocalRandom.current().nextLong(1_000_000));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void tellsTransportExactlyAndStragglersByTheRightRank(long seed) {
    var card = new Scorecard();
    var evaluation = new Evaluation(seed, null, 16, 10_000, () -> 0);
    for (int number = 0; number < 40; number++) {
      card.add(evaluation.generated(number));
    }
    var table =
        String.join("\n", ScoreTable.of(card))
            + "\n"
            + String.join("\n", ScoreTable.misjudged(card));
    for (var kind : TRANSPORT) {
      var score = card.of(kind, "");
      assertThat(score.misses() + score.wrong()).as("seed %d, %s%n%s", seed, kind, table).isZero();
    }
    var straggler = card.of(FindingKind.STRAGGLER, "");
    assertThat(straggler.hits() == 0 ? 1 : straggler.blame())
        .as("seed %d%n%s", seed, table)
        .isEqualTo(1);
    assertThat(card.of(FindingKind.HANG, "").misses()).as("seed %d%n%s", seed, table).isZero();
    assertThat(card.of(FindingKind.NCCL_ERROR, "").wrong()).as("seed %d%n%s", seed, table).isZero();
  }

  /// What is hard to find may be missed; of the rest nothing, and nothing may be told that is not true.
  @ParameterizedTest
  @EnumSource(JobKind.class)
  void tellsEachKindOfFault(JobKind kind) {
    var card = new Scorecard();
    var evaluation = new Evaluation(4, kind, 16, 4_000, () -> 0);
    card.add(evaluation.generated(0));
    card.scores()
        .forEach(
            (row, score) ->
                assertThat(score.wrong() + (row.hard().isEmpty() ? score.misses() : 0))
                    .as("%s%n%s", row.label(), String.join("\n", ScoreTable.misjudged(card)))
                    .isZero());
  }

  /// Samples of a restart in the same files belong to the new processes alone.
  @Test
  void blamesTheThrottledRunAndNotTheOneBeforeIt() {
    var evaluation = new Evaluation(4, JobKind.THROTTLED, 16, 4_000, () -> 0);
    var restarted =
        IntStream.range(0, 60)
            .filter(
                number -> {
                  var restarts = JobDraw.draw(JobKind.THROTTLED, 4, number, 16, 4_000).restarts();
                  return restarts.runs() > 1 && restarts.kind() == Restarts.Kind.SAME_FILE;
                })
            .limit(2)
            .mapToObj(evaluation::generated)
            .toList();

    assertThat(restarted).hasSize(2).allSatisfy(trial -> assertThat(trial.wrong()).isEmpty());
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
