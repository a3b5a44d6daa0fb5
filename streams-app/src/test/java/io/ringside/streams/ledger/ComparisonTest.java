package io.ringside.streams.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.ledger.Comparison.Change;
import io.ringside.streams.ledger.Comparison.Effect;
import io.ringside.streams.recorded.WrittenRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  @Test
  void tellsTransportStepTimeAndEnvironmentApart() {
    var first = trained(WrittenRun.of(1, 4, "P2P/CUMEM"), 500);
    var second = trained(WrittenRun.of(2, 4, "SHM/direct/direct"), 750);
    second.nccl(0.15, 0, "NCCL_P2P_DISABLE set by environment to 1.");

    var difference = Comparison.each(runs(first, second));

    assertThat(difference).hasSize(1);
    assertThat(difference.getFirst().changes())
        .containsExactly(
            new Change("transport intra-pod", "P2P/CUMEM", "SHM/direct/direct", Effect.WORSE),
            new Change("NCCL_P2P_DISABLE", "", "1", Effect.OTHER),
            new Change("step time", "500 ms", "750 ms", Effect.WORSE));
    assertThat(difference.getFirst().stepRatio()).isCloseTo(1.5, within(0.01));
    assertThat(difference.getFirst().worseTransport())
        .contains("intra-pod from P2P/CUMEM to SHM/direct/direct");
  }

  @Test
  void findsNothingBetweenTwoEqualRuns() {
    var difference =
        Comparison.each(
            runs(
                trained(WrittenRun.of(1, 4, "P2P/CUMEM"), 500),
                trained(WrittenRun.of(2, 4, "P2P/CUMEM"), 505)));

    assertThat(difference.getFirst().changes()).isEmpty();
  }

  @Test
  void comparesRestartsWithinOneFileAndNumbersThemInOrder() {
    var runs =
        runs(
            WrittenRun.of(1, 4, "P2P/CUMEM")
                .goesOnWith(WrittenRun.of(2, 4, "P2P/CUMEM/read"))
                .goesOnWith(WrittenRun.of(3, 4, "P2P/CUMEM")));

    assertThat(runs).extracting(RunSummary::attempt).containsExactly(1, 2, 3);
    assertThat(Comparison.each(runs))
        .extracting(each -> each.changes().getFirst().effect())
        .containsExactly(Effect.WORSE, Effect.BETTER);
    assertThat(runs)
        .extracting(RunSummary::state)
        .containsExactly(
            RunSummary.State.SUPERSEDED, RunSummary.State.SUPERSEDED, RunSummary.State.ENDED);
  }

  private static WrittenRun trained(WrittenRun run, double millis) {
    for (int step = 1; step <= 40; step++) {
      run.timers(step * millis / 1000, (millis - 10) / 3, 2 * (millis - 10) / 3);
    }
    return run;
  }

  private static List<RunSummary> runs(WrittenRun... runs) {
    return WrittenRun.judged(runs).runs();
  }
}
