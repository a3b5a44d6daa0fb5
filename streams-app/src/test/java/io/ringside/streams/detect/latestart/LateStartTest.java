package io.ringside.streams.detect.latestart;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.recorded.WrittenRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class LateStartTest {
  @Test
  void isNewsForAWhileOfARunThatGoesOn() {
    var run = late();
    run.nccl(600, 0, "Using network Socket");

    assertThat(states(WrittenRun.recorded(run).unfinished())).containsExactly(Finding.State.ACTIVE);
  }

  @Test
  void isOverAfterAWhile() {
    var run = late();
    run.nccl(1_000, 0, "Using network Socket");

    assertThat(states(WrittenRun.recorded(run).unfinished()))
        .containsExactly(Finding.State.CLEARED);
  }

  @Test
  void isOverWithItsJob() {
    assertThat(states(WrittenRun.recorded(late()))).containsExactly(Finding.State.CLEARED);
  }

  /// Rank 2 is there 25 s after the others.
  private static WrittenRun late() {
    var run = WrittenRun.of(1, 4, "P2P/CUMEM");
    for (int rank = 0; rank < 4; rank++) {
      run.nccl(
          0.45,
          rank,
          "Bootstrap timings total %s (create 0.000020, send 0.000100, recv %s, ring 0.000200, delay 0.000000)"
              .formatted(
                  rank == 2 ? "0.001000" : "25.000400", rank == 1 ? "25.000000" : "0.000100"));
    }
    return run;
  }

  private static List<Finding.State> states(Recorded recorded) {
    return recorded.judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.LATE_START)
        .map(Finding::state)
        .toList();
  }
}
