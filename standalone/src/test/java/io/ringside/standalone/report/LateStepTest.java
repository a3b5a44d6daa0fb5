package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LateStepTest {
  private static final String RUN = "0x6f1c02e1d9aa310b";

  private static final RankNames NAMES =
      new RankNames(
          Map.of(
              new RankNames.Writer(RUN, "a", 10), 2,
              new RankNames.Writer(RUN, "b", 20), 6,
              new RankNames.Writer(RUN, "c", 30), 7));

  @Test
  void isTheLateCallBesideTheLastOneThatWaited() {
    var steps = steps(line("a:10", 0), line("c:30", 20), line("b:20", 121), line("a:10", 130));

    assertThat(steps).hasSize(1);
    assertThat(steps.getFirst().after()).isEqualTo("+101 ms after rank 7");

    var clear = steps(line("b:20", 120), line("a:10", 0)).getFirst();
    assertThat(clear.after()).isEqualTo("+120 ms after rank 2");
    assertThat(clear.operation()).isEqualTo("AllReduce");
  }

  /// The report says 121 ms on average: a machine's clock that is ahead or behind tells nothing else.
  @Test
  void saysNothingWhereStampsAreOfClocksThatDiffer() {
    assertThat(steps(line("a:10", 0), line("b:20", 5_000))).isEmpty();
    assertThat(steps(line("a:10", 0), line("b:20", 1))).isEmpty();
    assertThat(steps(line("a:10", 100), line("b:20", 0))).isEmpty();
  }

  @Test
  void saysNothingOfWritersThatNobodyKnows() {
    assertThat(steps(line("x:10", 0), line("b:20", 120))).isEmpty();
  }

  @Test
  void isDrawnWithARowARank() {
    var finding = finding(line("a:10", 0), line("b:20", 120));
    var account =
        Account.of(Fabricated.input(), List.of(Fabricated.straggledRun()), List.of(finding))
            .with(NAMES);

    assertThat(String.join("\n", Report.of(account, new Screen(100, false, true))))
        .contains(
            """
                  one step  AllReduce at 12:00:00
                            rank 2  ●────────────────────────  waits 120 ms
                            rank 6                           ● +120 ms after rank 2
            """)
        .contains("12:00:00.120 · rank 6 · +120 ms after rank 2 │ b:20:20 [0] NCCL INFO");
    assertThat(ReportMarkdown.of(account)).contains("rank 6 · +120 ms after rank 2  b:20:20");
  }

  @Test
  void knowsTheRankThatPyTorchTells() {
    var line = new Evidence(null, "local", "p", "f", 0, "[rank12]:[E1120 20:30:39] Watchdog");
    assertThat(RankNames.NONE.of(finding(line), line)).hasValue(12);
  }

  private static List<LateStep> steps(Evidence... evidence) {
    return LateStep.of(finding(evidence), Fabricated.straggledRun(), NAMES);
  }

  private static Finding finding(Evidence... evidence) {
    return Fabricated.straggler().but().evidence(List.of(evidence)).build();
  }

  private static Evidence line(String process, long millis) {
    var pid = process.substring(process.indexOf(':') + 1);
    return new Evidence(
        Fabricated.NOON.plusMillis(millis),
        "local",
        "pod",
        "0.log",
        millis,
        process + ":" + pid + " [0] NCCL INFO AllReduce: opCount 7a count 4194304");
  }
}
