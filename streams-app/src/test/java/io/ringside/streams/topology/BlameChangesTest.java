package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.judge.suspect.Blame;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlameChangesTest {
  private static final Instant HALF_PAST = Instant.parse("2026-01-02T03:30:00Z");
  private static final Finding FINDING =
      Finding.of(
          "f",
          FindingKind.STRAGGLER,
          Severity.WARNING,
          its -> {
            its.job = new JobKey("", "", "llama");
            its.run = "a";
            its.nodes = List.of("n1");
            its.detectedAt = HALF_PAST;
            its.summary = "late";
            its.evidence = List.of(new Evidence(HALF_PAST, "n1", "pod", "a.log", 0, "a line"));
          });

  private final BlameChanges changes = new BlameChanges();

  @Test
  void tellsTheTimeAtWhichItIsTold() {
    assertThat(changes.changes(null, FINDING, 4, HALF_PAST))
        .extracting(Blame::at)
        .containsExactly(HALF_PAST);
  }

  @Test
  void tellsWhatStaysTheSameOnceAnHour() {
    changes.changes(null, FINDING, 4, HALF_PAST);

    assertThat(changes.changes(FINDING, FINDING, 4, HALF_PAST.plusSeconds(60))).isEmpty();
    assertThat(changes.changes(FINDING, FINDING, 4, HALF_PAST.plusSeconds(1800))).hasSize(1);
  }
}
