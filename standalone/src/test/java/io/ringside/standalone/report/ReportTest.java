package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
  @Test
  void show() {
    var all =
        Report.of(
            Fabricated.input(),
            List.of(Fabricated.fallbackRun(), Fabricated.straggledRun()),
            List.of(Fabricated.fallback(), Fabricated.straggler(), Fabricated.splitPlacement()),
            new Screen(100, System.getenv("NOCO") == null, true));
    System.out.println(String.join("\n", all));
    System.out.println(
        ReportJson.of(
            Fabricated.input(), List.of(Fabricated.fallbackRun()), List.of(Fabricated.fallback())));
    assertThat(all).isNotEmpty();
  }
}
