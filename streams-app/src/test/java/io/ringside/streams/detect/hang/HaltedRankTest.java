package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Pods of one rank each that tell two lines a step, rank 0 its loss as well, and whose side
/// threads go on.
class HaltedRankTest {
  private static final Instant BEGIN = Instant.parse("2026-07-08T17:00:00Z");
  private static final int RANKS = 6;
  private static final int STEPS = 50;
  private static final double STEP = 1.5;
  private static final double END = STEPS * STEP;

  private final Map<String, List<String>> files = new TreeMap<>();

  @Test
  void namesTheRankThatHasNotComeAsFarAsTheOthers() {
    for (int rank = 0; rank < RANKS; rank++) {
      step(rank, STEPS, rank == 3 ? 1 : 2);
      health(rank, END, 300);
    }

    assertThat(hangs())
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).containsExactly(3);
              assertThat(hang.summary())
                  .contains("5 of 6 ranks have stood in step 50 for 4 min 59 s");
              assertThat(hang.evidence().getFirst().text()).contains("[rank 3] step 50 batch");
            });
  }

  @Test
  void namesTheRankThatIsAStepBehind() {
    for (int rank = 0; rank < RANKS; rank++) {
      step(rank, STEPS, rank == 3 ? 0 : 1);
      health(rank, END, 300);
    }

    assertThat(hangs()).singleElement().satisfies(it -> assertThat(it.ranks()).containsExactly(3));
  }

  @Test
  void isANoteWhereItHasStoodForAsLongBefore() {
    for (int rank = 0; rank < RANKS; rank++) {
      steps(rank, 1, 30, 0);
      steps(rank, 31, STEPS - 1, 110);
      line(rank, 110 + END, "[rank %d] step 50 batch loaded".formatted(rank));
      if (rank != 3) {
        line(rank, 111 + END, "[rank %d] step 50 backward done".formatted(rank));
      }
      health(rank, 110 + END, 300);
    }

    assertThat(hangs())
        .singleElement()
        .satisfies(it -> assertThat(it.severity()).isEqualTo(Severity.INFO));
  }

  /// It saves while the others wait.
  @Test
  void isANoteOfRankZero() {
    for (int rank = 0; rank < RANKS; rank++) {
      step(rank, STEPS, rank == 0 ? 1 : 2);
      health(rank, END, 300);
    }

    assertThat(hangs())
        .singleElement()
        .satisfies(it -> assertThat(it.severity()).isEqualTo(Severity.INFO));
  }

  @Test
  void saysNothingWhereAllHaveComeAsFar() {
    for (int rank = 0; rank < RANKS; rank++) {
      step(rank, STEPS, 2);
      health(rank, END, 300);
    }
    line(0, END + 2, "[rank 0] step 50 loss=2.5 step_time=1.5s");

    assertThat(hangs()).isEmpty();
  }

  /// It may have been copied a moment before the others.
  @Test
  void saysNothingWhereTheFileOfThatRankEnds() {
    for (int rank = 0; rank < RANKS; rank++) {
      step(rank, STEPS, rank == 3 ? 1 : 2);
      if (rank != 3) {
        health(rank, END, 300);
      }
    }

    assertThat(hangs()).isEmpty();
  }

  @Test
  void saysNothingOfLogsThatEndAmidAStep() {
    for (int rank = 0; rank < RANKS; rank++) {
      step(rank, STEPS, rank == 3 ? 1 : 2);
    }

    assertThat(hangs()).isEmpty();
  }

  /// The last stage of a pipeline loads nothing.
  @Test
  void saysNothingOfARankThatAlwaysTellsLess() {
    for (int rank = 0; rank < RANKS; rank++) {
      for (int step = 1; step <= STEPS; step++) {
        line(rank, step * STEP, "[rank %d] step %d batch loaded".formatted(rank, step));
        if (rank != 3) {
          line(rank, step * STEP + 1, "[rank %d] step %d backward done".formatted(rank, step));
        }
      }
      health(rank, END, 300);
    }

    assertThat(hangs()).isEmpty();
  }

  @Test
  void saysNothingOnceTrainingIsDone() {
    for (int rank = 0; rank < RANKS; rank++) {
      step(rank, STEPS, rank == 3 ? 1 : 2);
      health(rank, END, 300);
    }
    line(0, END + 3, "Training finished in 0:01:15");

    assertThat(hangs()).isEmpty();
  }

  /// All steps before, and so many lines of this one.
  private void step(int rank, int step, int lines) {
    steps(rank, 1, step - 1, 0);
    if (lines > 0) {
      line(rank, step * STEP, "[rank %d] step %d batch loaded".formatted(rank, step));
    }
    if (lines > 1) {
      line(rank, step * STEP + 1, "[rank %d] step %d backward done".formatted(rank, step));
    }
  }

  private void steps(int rank, int from, int to, int later) {
    for (int step = from; step <= to; step++) {
      double at = step * STEP + later;
      line(rank, at, "[rank %d] step %d batch loaded".formatted(rank, step));
      line(rank, at + 1, "[rank %d] step %d backward done".formatted(rank, step));
      if (rank == 0) {
        line(rank, at + 1.2, "[rank 0] step %d done loss=2.5 step_time=1.5s".formatted(step));
      }
    }
  }

  private void health(int rank, double from, int seconds) {
    for (int at = 10; at <= seconds; at += 10) {
      line(rank, from + at, "[health] GET /healthz 200");
    }
  }

  private void line(int rank, double seconds, String text) {
    files
        .computeIfAbsent("ddp-node-%d-0.log".formatted(rank), _ -> new ArrayList<>())
        .add(
            "%s stdout F %s"
                .formatted(BEGIN.plusMillis(Math.round(1000 * seconds)).plusNanos(1), text));
  }

  private List<Finding> hangs() {
    return Recorded.of(files).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.HANG)
        .toList();
  }
}
