package io.ringside.streams.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a worse transport will cost, told before the run has made the steps that would show it.
class ForecastOfRunsTest {
  @Test
  void pricesALossByThePairsOfTheJobBeforeTenSteps() {
    var last =
        last(
            trained(1, "P2P/CUMEM", 500, 40),
            trained(2, "SHM/direct/direct", 1_000, 40),
            trained(3, "P2P/CUMEM", 500, 40),
            trained(4, "SHM/direct/direct", 1_020, 40),
            trained(5, "P2P/CUMEM", 500, 40),
            trained(6, "SHM/direct/direct", 1_000, 2));

    assertThat(reasons(last))
        .anyMatch(
            reason ->
                reason.matches(
                    "steps of 1\\.01 s are to be expected instead of 500 ms: 2\\.02 times as long"
                        + " \\(1\\.80 to 2\\.26\\), by 2 pairs of the job's runs"));
  }

  @Test
  void saysNothingWhereNoPairIsKnown() {
    var last = last(trained(1, "P2P/CUMEM", 500, 40), trained(2, "SHM/direct/direct", 1_000, 2));

    assertThat(reasons(last)).noneMatch(reason -> reason.contains("are to be expected"));
  }

  private static RunSummary last(WrittenRun... runs) {
    return WrittenRun.judged(runs).runs().getLast();
  }

  private static List<String> reasons(RunSummary run) {
    return run.bill() == null
        ? List.of()
        : run.bill().notBilled().stream().map(RunBill.NotBilled::because).toList();
  }

  private static WrittenRun trained(int attempt, String transport, double millis, int steps) {
    var run = WrittenRun.of(attempt, 4, transport);
    for (int step = 1; step <= steps; step++) {
      run.timers(step * millis / 1000, (millis - 10) / 3, 2 * (millis - 10) / 3);
    }
    return run;
  }
}
