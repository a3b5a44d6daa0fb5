package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Check;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunSectionTest {
  private static final Check PASSED =
      new Check("NCCL version", Check.Status.PASS, "2.28.9 on 4 of 4 ranks", null);

  @Test
  void namesChecksOfWhichNoLineSaysAnythingInOneRow() {
    assertThat(checklist(unsaid("network plugin"), PASSED, unsaid("interface chosen")))
        .containsExactly(
            "    ✓ NCCL version                      2.28.9 on 4 of 4 ranks",
            "    ? the log does not say: network plugin, interface chosen");
  }

  @Test
  void leavesOneInItsPlace() {
    assertThat(checklist(unsaid("network plugin"), PASSED))
        .containsExactly(
            "    ? network plugin                    the log does not say",
            "    ✓ NCCL version                      2.28.9 on 4 of 4 ranks");
  }

  private static Check unsaid(String name) {
    return new Check(name, Check.Status.UNKNOWN, Check.UNSAID, null);
  }

  private static List<String> checklist(Check... checks) {
    var page = new Page(Screen.PLAIN);
    new RunSection(page)
        .write(Fabricated.fallbackRun().with(its -> its.checklist = List.of(checks)));
    return page.lines().stream()
        .dropWhile(line -> !line.contains("Checklist"))
        .skip(1)
        .takeWhile(line -> !line.isBlank())
        .toList();
  }
}
