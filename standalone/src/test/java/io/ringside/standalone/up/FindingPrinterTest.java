package io.ringside.standalone.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.CapturedConsole;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class FindingPrinterTest {
  private final CapturedConsole captured = new CapturedConsole();
  private final FindingPrinter bulletin =
      new FindingPrinter(
          captured.console(),
          () -> Instant.parse("2026-11-20T20:42:34Z"),
          UnaryOperator.identity());

  @Test
  void showsWhatIsRaisedUnderItsJobAndWhatFollowsFromItInALine() {
    bulletin.begins();
    bulletin.now(finding("a", Severity.WARNING));
    bulletin.now(finding("b", Severity.WARNING).with(its -> its.causedBy = "a"));
    bulletin.now(finding("a", Severity.WARNING).with(its -> its.state = Finding.State.CLEARED));

    assertThat(captured.out())
        .containsSubsequence(
            "20:42:34 UTC  llama · training\n",
            "▲ straggler  warning",
            "proof",
            "20:42:34 UTC  llama · training  ▲ warning straggler: Rank b is late.",
            "20:42:34 UTC  llama · training  ✓ ended: Rank a is late.")
        .doesNotContain("Still active");
  }

  @Test
  void namesWhatHeldBeforeAndDoesNotTellItAgain() {
    bulletin.before(finding("a", Severity.WARNING));
    bulletin.before(finding("b", Severity.WARNING).with(its -> its.state = Finding.State.CLEARED));
    bulletin.begins();
    bulletin.now(finding("a", Severity.WARNING));

    assertThat(captured.out())
        .isEqualTo(
            "20:42:34 UTC  Still active from the last run: 1 finding\n"
                + "    ▲ llama · training · straggler: Rank a is late.\n");
  }

  @Test
  void saysThatNothingHoldsAnyMore() {
    bulletin.before(finding("b", Severity.WARNING).with(its -> its.state = Finding.State.CLEARED));
    bulletin.begins();

    assertThat(captured.out())
        .isEqualTo("20:42:34 UTC  No finding was active when Ringside last stopped\n");
  }

  private static Finding finding(String id, Severity severity) {
    return Finding.of(
        id,
        FindingKind.STRAGGLER,
        severity,
        its -> {
          its.job = new JobKey("", "training", "llama");
          its.summary = "Rank " + id + " is late.";
          its.evidence = List.of(new Evidence(null, "node", "pod", "0.log", 0, "a line"));
        });
  }
}
