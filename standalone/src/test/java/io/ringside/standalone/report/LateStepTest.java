package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class LateStepTest {
  @Test
  void isDrawnWithARowARank() {
    var finding = finding(line("a:10", 0).by(2, "a", null), late());
    var account =
        Account.of(Fabricated.input(), List.of(Fabricated.straggledRun()), List.of(finding));

    assertThat(String.join("\n", Report.of(account, new Screen(100, false, true))))
        .contains(
            """
                  one step  AllReduce at 12:00:00
                            rank 2  ●────────────────────────  waits 120 ms
                            rank 6                           ● +120 ms after rank 2
            """)
        .contains("12:00:00.120 · rank 6 · b · +120 ms after rank 2 │ b:20:20 [0] NCCL INFO");
    assertThat(ReportMarkdown.of(account)).contains("rank 6 · b · +120 ms after rank 2  b:20:20");
  }

  /// What demo and up print of one finding has it as well.
  @Test
  void isDrawnOfAFindingAlone() {
    assertThat(Report.of(finding(late().in("0.log", 17)), "", new Screen(100, false, true)))
        .anyMatch(line -> line.endsWith("rank 6                           ● +120 ms after rank 2"))
        .anyMatch(line -> line.contains(":17 │ 12:00:00.120 · rank 6 · b · +120 ms after rank 2"));
  }

  @Test
  void isNotThereWhereNoLineIsLate() {
    assertThat(LateStep.of(finding(line("a:10", 0), line("b:20", 120)))).isEmpty();
  }

  private static Evidence late() {
    return line("b:20", 120).by(6, "b", new Evidence.After(2, 0.12));
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
