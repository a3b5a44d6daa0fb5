package io.ringside.standalone.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
    var evaluation = new Evaluation(seed, 16, 10_000, () -> 0);
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

  @Test
  void tellsTheRecordedJobsExactly() throws Exception {
    var card = new Scorecard();
    new Evaluation(1, 32, 20_000, () -> 0)
        .recorded(Path.of("..", "examples", "recordings"))
        .forEach(card::add);
    assertThat(card.trials()).isGreaterThan(20);
    assertThat(ScoreTable.misjudged(card)).isEmpty();
  }
}
