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
            WrittenRun.trained(1, "P2P/CUMEM", 500, 40),
            WrittenRun.trained(2, "SHM/direct/direct", 1_000, 40),
            WrittenRun.trained(3, "P2P/CUMEM", 500, 40),
            WrittenRun.trained(4, "SHM/direct/direct", 1_020, 40),
            WrittenRun.trained(5, "P2P/CUMEM", 500, 40),
            WrittenRun.trained(6, "SHM/direct/direct", 1_000, 2));

    assertThat(reasons(last))
        .anyMatch(
            reason ->
                reason.matches(
                    "steps of 1\\.01 s are to be expected instead of 500 ms: 2\\.02 times as long"
                        + " \\(1\\.80 to 2\\.26\\), by 2 pairs of the job's runs"));
  }

  @Test
  void saysNothingWhereNoPairIsKnown() {
    var last =
        last(
            WrittenRun.trained(1, "P2P/CUMEM", 500, 40),
            WrittenRun.trained(2, "SHM/direct/direct", 1_000, 2));

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
}
