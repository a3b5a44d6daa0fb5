package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.LateStep;
import io.ringside.schemas.event.LateStep.Call;
import java.util.List;
import org.junit.jupiter.api.Test;

class LateStepTest {
  private static final Screen TERMINAL = new Screen(80, false, true);

  private static final LateStep OF_FOUR =
      new LateStep(
          "AllReduce",
          Fabricated.NOON,
          4,
          List.of(
              new Call(0, 0.03, false),
              new Call(2, 0, false),
              new Call(6, 0.12, true),
              new Call(7, 0.01, false)));

  @Test
  void isDrawnWithARowARank() {
    var account =
        ReportContent.of(
            Fabricated.input(), List.of(Fabricated.straggledRun()), List.of(finding(OF_FOUR)));

    assertThat(String.join("\n", Report.of(account, TERMINAL)))
        .contains(
            """
                  one step  AllReduce at 12:00:00
                            rank 0        ●──────────────────  waits 90 ms
                            rank 2  ●────────────────────────  waits 120 ms
                            rank 6                          ●  ◀ 90 ms late
                            rank 7    ●──────────────────────  waits 110 ms
            """)
        .contains("12:00:00.120 · rank 6 · b · +120 ms after rank 2 │ b:20:20");
    assertThat(ReportMarkdown.of(account))
        .contains(
            """
            one step: AllReduce at 12:00:00

            ```text
            rank 0        ●──────────────────  waits 90 ms
            """)
        .contains("rank 6 · b · +120 ms after rank 2  b:20");
  }

  /// What demo and up print of one finding has it as well, and pipes without block characters.
  @Test
  void isDrawnOfAFindingAlone() {
    assertThat(Report.of(finding(OF_FOUR), "", new Screen(80, false, false)))
        .anyMatch(line -> line.endsWith("rank 7    *----------------------  waits 110 ms"))
        .anyMatch(line -> line.endsWith("rank 6                          *  < 90 ms late"));
  }

  @Test
  void saysHowManyOfALargeJobAreShown() {
    var step =
        new LateStep(
            null,
            Fabricated.NOON,
            10_000,
            List.of(new Call(3, 0, false), new Call(9_999, 0.2, true), new Call(512, 0.05, false)));

    assertThat(Report.of(finding(step), "", TERMINAL))
        .anyMatch(line -> line.endsWith("one step  a collective at 12:00:00"))
        .anyMatch(line -> line.contains("rank    3  ●─"))
        .anyMatch(
            line ->
                line.endsWith("3 of 10,000 ranks: the first, the median, the last and the late"))
        .allMatch(line -> line.length() <= 80);
  }

  @Test
  void isNotThereWhereNoLineOfOneWasKept() {
    assertThat(Report.of(finding(null), "", TERMINAL)).noneMatch(line -> line.contains("one step"));
  }

  private static Finding finding(@org.jspecify.annotations.Nullable LateStep step) {
    var late = line("b:20", 120).by(6, "b", new Evidence.After(2, 0.12));
    return Fabricated.straggler()
        .with(
            its -> {
              its.evidence = List.of(line("a:10", 0).by(2, "a", null), late);
              its.lateStep = step;
            });
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
