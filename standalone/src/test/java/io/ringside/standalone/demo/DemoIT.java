package io.ringside.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.CapturedConsole;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/// The demo that ends by itself. The one that stays up is played as a whole, with its page and its
/// alerts, by DemoIT of the module deploy.
@Timeout(240)
class DemoIT {
  private final CapturedConsole captured = new CapturedConsole();

  @Test
  void endsWhenTheIncidentWasFound() {
    assertThat(run(List.of(Incident.ALL.getFirst()), Duration.ofSeconds(30))).isZero();
    assertThat(captured.out())
        .containsSubsequence("1 of 1: EFA falls back", "✖ efa-fallback  critical", "NET/OFI No");
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void failsWithASentenceWhenAnIncidentGoesUnnoticed() {
    var fallback = Incident.ALL.getFirst();
    var never =
        new Incident(
            "Something that did not happen",
            "",
            fallback.job(),
            fallback.logs(),
            "",
            Duration.ofMillis(1),
            FindingKind.GPU_ERROR,
            Severity.INFO,
            List.of());

    assertThat(run(List.of(never), Duration.ofMillis(100))).isEqualTo(1);
    assertThat(captured.out()).contains("Not found: Something that did not happen (gpu-error).");
  }

  /// What was found in its job besides comes after it, in a line each.
  @Test
  void putsTheStragglerAboveWhatElseIsFoundInItsJob() {
    assertThat(run(List.of(Incident.ALL.get(1)), Duration.ofSeconds(30))).isZero();
    assertThat(captured.out())
        .containsSubsequence(
            "1 of 1: One slow rank",
            "▲ straggler  warning",
            "In the same job:",
            "▲ split-placement: 2 pods of one machine",
            "✓ One slow rank holds up seven others: rank 6")
        .doesNotContain("split-placement  warning");
  }

  @Test
  void namesTheCulpritOfTheHang() {
    assertThat(run(List.of(Incident.ALL.get(2)), Duration.ofSeconds(30))).isZero();
    assertThat(captured.out())
        .containsSubsequence("1 of 1: A job that stands", "✖ hang  critical", "rank 2");
  }

  private int run(List<Incident> incidents, Duration patience) {
    return new CommandLine(new DemoCommand(captured.console(), incidents, patience))
        .execute("--exit");
  }
}
